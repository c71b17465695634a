package agentengine.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Follows one turn to its end, over as many connections as it takes. */
final class TurnFollower {
  private enum End {
    ANSWERED,
    FAILED,
    BROKEN
  }

  private final ApiClient api;
  private final Transcript transcript;
  private final Approvals approvals;
  private final Patience patience;
  private final String sessionId;
  private @Nullable String lastEventId;
  private boolean progressed;

  TurnFollower(
      ApiClient api,
      Transcript transcript,
      Approvals approvals,
      Patience patience,
      String sessionId) {
    this.api = api;
    this.transcript = transcript;
    this.approvals = approvals;
    this.patience = patience;
    this.sessionId = sessionId;
  }

  /** Shows the turn; true when it ended with an answer. */
  boolean follow(EventStream first) throws InterruptedException {
    End end = read(first);
    Iterator<Duration> pauses = patience.pauses().iterator();
    while (end == End.BROKEN) {
      if (progressed) {
        progressed = false;
        pauses = patience.pauses().iterator();
      }
      if (!pauses.hasNext()) {
        transcript.error(
            "connection_lost",
            "the engine does not answer any more; the turn goes on there when it is back");
        return false;
      }
      Thread.sleep(pauses.next());
      end = attach();
    }
    return end == End.ANSWERED;
  }

  private End attach() {
    String path = "/sessions/" + ApiClient.segment(sessionId) + "/stream";
    try (EventStream stream = api.getEvents(path, lastEventId)) {
      return read(stream);
    } catch (ApiRefusal e) {
      if (e.isTemporary()) {
        return End.BROKEN;
      }
      transcript.error(e.code(), e.reason());
      return End.FAILED;
    } catch (IOException _) {
      return End.BROKEN;
    }
  }

  private End read(EventStream stream) {
    try {
      SseEvent event;
      while ((event = stream.next()) != null) {
        End end = take(event);
        if (end != null) {
          return end;
        }
      }
    } catch (IOException _) {
      // As good as the end of the connection.
    }
    return End.BROKEN;
  }

  private @Nullable End take(SseEvent sent) throws IOException {
    ChatEvent event = ChatEvent.of(sent);
    noteProgress(sent.id());
    transcript.show(event);
    return switch (event) {
      case ChatEvent.Done _ -> End.ANSWERED;
      case ChatEvent.Failed _ -> End.FAILED;
      case ChatEvent.Confirmation gate -> {
        approvals.ask(sessionId, gate);
        yield null;
      }
      case ChatEvent.Thinking _, ChatEvent.MessageDelta _, ChatEvent.Message _ -> null;
      case ChatEvent.ToolCall _, ChatEvent.ToolResult _, ChatEvent.StructuredOutput _ -> null;
      case ChatEvent.Unknown _ -> null;
    };
  }

  private void noteProgress(@Nullable String id) {
    progressed = true;
    if (id != null) {
      if (lastEventId != null && !attempt(lastEventId).equals(attempt(id))) {
        transcript.startOver();
      }
      lastEventId = id;
    }
  }

  /** Turn and attempt, of an id that is {@code turn.attempt.number}. */
  private static String attempt(String id) {
    return id.substring(0, Math.max(0, id.lastIndexOf('.')));
  }
}
