package agentengine.cli;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A conversation with a schema, in one session after the other. */
final class Chat implements AutoCloseable {
  private static final Duration MAX_ENDING = Duration.ofSeconds(2);

  /** What a conversation needs around it. */
  record Parts(
      ApiClient api,
      Transcript transcript,
      InputLines lines,
      boolean interactive,
      Patience patience) {}

  private final Parts parts;
  private final String schema;
  private final String command;
  private final CountDownLatch closed = new CountDownLatch(1);
  private volatile @Nullable String sessionId;
  private volatile @Nullable String accepted;
  private volatile boolean turnRuns;
  private volatile boolean interrupted;

  /**
   * A conversation.
   *
   * @param command what to type to have one with the same schema of the same engine
   * @param sessionId the session to continue, or null to begin one
   */
  Chat(Parts parts, String schema, String command, @Nullable String sessionId) {
    this.parts = parts;
    this.schema = schema;
    this.command = command;
    this.sessionId = sessionId;
  }

  /** Has the lines answered one by one; a script is told, by false, when an answer failed. */
  boolean converse() throws IOException, InterruptedException {
    // Somebody who misspelt the schema should know before they have typed a question.
    JsonNode _ = parts.api().get("/schemas/" + ApiClient.segment(schema));
    if (parts.interactive()) {
      parts.transcript().note("Chatting with " + schema + ". /help tells more, /quit ends.");
    }
    boolean allAnswered = true;
    String line;
    while (!interrupted && (line = nextLine()) != null) {
      switch (Line.of(line)) {
        case Line.Blank() -> {}
        case Line.Quit() -> {
          return allAnswered || parts.interactive();
        }
        case Line.Help() -> parts.transcript().block(Line.HELP);
        case Line.NewSession() -> {
          sessionId = null;
          accepted = null;
          parts.transcript().note("The next message begins a new session.");
        }
        case Line.Unknown(String word) ->
            parts.transcript().line("there is no command " + word + "; /help lists them");
        case Line.Message(String text) -> allAnswered &= say(text);
      }
    }
    return allAnswered || parts.interactive();
  }

  private @Nullable String nextLine() throws InterruptedException {
    if (!parts.interactive()) {
      return parts.lines().next();
    }
    parts.transcript().prompt("you> ");
    String line = parts.lines().next();
    if (line != null) {
      parts.transcript().typed();
    }
    return line;
  }

  /** Sends a message and shows its turn; true when that ended with an answer. */
  boolean say(String message) throws IOException, InterruptedException {
    ObjectNode body = Json.object().put("message", message);
    if (sessionId != null) {
      body.put("session_id", sessionId);
    }
    String path = "/schemas/" + ApiClient.segment(schema) + "/chat";
    try (EventStream stream = parts.api().postForEvents(path, body)) {
      return follow(stream);
    } catch (ApiRefusal e) {
      if (e.isFinal()) {
        throw e;
      }
      parts.transcript().error(e.code(), e.reason());
      return false;
    } finally {
      turnRuns = false;
    }
  }

  private boolean follow(EventStream stream) throws InterruptedException {
    String current = stream.sessionId();
    if (current == null) {
      throw new CommandFailed("the engine did not name the session");
    }
    sessionId = current;
    accepted = current;
    turnRuns = true;
    try (Approvals approvals =
        new Approvals(parts.api(), parts.lines(), parts.transcript(), parts.patience())) {
      return new TurnFollower(parts.api(), parts.transcript(), approvals, parts.patience(), current)
          .follow(stream);
    }
  }

  /** Ends the conversation from another thread, and cancels the turn that runs. */
  void interrupt() {
    interrupted = true;
    String current = sessionId;
    if (!turnRuns || current == null) {
      close();
      return;
    }
    try {
      parts.api().post("/sessions/" + ApiClient.segment(current) + "/cancel", null);
      // The thread that follows the turn tells of its end and how to continue.
      boolean _ = closed.await(MAX_ENDING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ApiRefusal e) {
      parts.transcript().error(e.code(), e.reason());
    } catch (IOException e) {
      parts.transcript().line("engine: the turn could not be cancelled: " + e.getMessage());
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      close();
    }
  }

  /** Tells how to continue, unless that is told already. */
  @Override
  public synchronized void close() {
    if (closed.getCount() > 0) {
      parts.transcript().endLine();
      if (accepted != null) {
        parts.transcript().line("Continue with: " + command + " --session " + accepted);
      }
      closed.countDown();
    }
  }
}
