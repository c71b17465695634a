package agentengine.cli;

import agentengine.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Asks about the gated tools of one turn, on a thread of its own: the stream is read on meanwhile,
 * because somebody else may answer first.
 */
final class Approvals implements AutoCloseable {
  private static final Duration MAX_SENDING = Duration.ofMinutes(2);

  private final ApiClient api;
  private final InputLines lines;
  private final Transcript transcript;
  private final Patience patience;
  private final ExecutorService asker =
      Executors.newSingleThreadExecutor(Thread.ofVirtual().name("approvals").factory());
  private @Nullable Thread waiting;
  private boolean closed;

  Approvals(ApiClient api, InputLines lines, Transcript transcript, Patience patience) {
    this.api = api;
    this.lines = lines;
    this.transcript = transcript;
    this.patience = patience;
  }

  /** Asks after the questions that are open already. */
  void ask(String sessionId, ChatEvent.Confirmation gate) {
    asker.execute(
        () -> {
          try {
            String answer = answer(gate);
            send(sessionId, gate.callId(), answer);
          } catch (InterruptedException _) {
            // The turn is over, and with it the question.
          }
        });
  }

  private String answer(ChatEvent.Confirmation gate) throws InterruptedException {
    transcript.block(
        List.of("[" + gate.tool() + " wants to run with " + Json.write(gate.input()) + "]"));
    transcript.prompt("approve? [y/N/reason] ");
    String line = nextLine();
    if (line == null) {
      transcript.line("nobody is there to approve: rejected");
      return "reject: nobody was there to approve";
    }
    transcript.typed();
    return switch (line.strip().toLowerCase(Locale.ROOT)) {
      case "y", "yes" -> "approve";
      case "", "n", "no" -> "reject:";
      default -> "reject: " + line.strip();
    };
  }

  /** Only the wait for a line is called off when the turn ends, never an answer on its way. */
  private @Nullable String nextLine() throws InterruptedException {
    synchronized (this) {
      if (closed) {
        throw new InterruptedException();
      }
      waiting = Thread.currentThread();
    }
    try {
      return lines.next();
    } finally {
      synchronized (this) {
        waiting = null;
      }
    }
  }

  private void send(String sessionId, String callId, String answer) throws InterruptedException {
    String path = "/sessions/" + ApiClient.segment(sessionId) + "/respond";
    for (Duration pause : patience.pauses()) {
      try {
        api.post(
            path, Json.object().put("call_id", callId).set("answers", Json.array(List.of(answer))));
        return;
      } catch (ApiRefusal e) {
        if (!e.isTemporary()) {
          transcript.error(e.code(), e.reason());
          return;
        }
      } catch (IOException _) {
        // The engine may be restarting, and the turn waits for the answer.
      }
      Thread.sleep(pause);
    }
    transcript.line("engine: the answer could not be sent");
  }

  /** Takes back what is not answered yet. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
      if (waiting != null) {
        waiting.interrupt();
      }
    }
    asker.shutdown();
    try {
      boolean _ = asker.awaitTermination(MAX_SENDING.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
