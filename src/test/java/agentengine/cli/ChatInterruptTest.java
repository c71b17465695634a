package agentengine.cli;

import static agentengine.cli.ScriptedServer.delta;
import static agentengine.cli.ScriptedServer.frame;
import static agentengine.cli.ScriptedServer.json;
import static agentengine.cli.ScriptedServer.startEvents;
import static agentengine.cli.ScriptedServer.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChatInterruptTest {
  private static final String CANCEL = "POST /sessions/s-1/cancel";

  private final Printed out = new Printed();
  private final Printed err = new Printed();

  @Test
  void an_interrupt_cancels_the_turn_and_tells_how_to_continue() throws Exception {
    CountDownLatch cancelled = new CountDownLatch(1);
    try (ScriptedServer server = ScriptedServer.start()) {
      server.on(
          "POST /schemas/help/chat",
          stream -> {
            startEvents(stream);
            write(stream, delta("Once upon", "1.1.1"));
            if (cancelled.await(30, TimeUnit.SECONDS)) {
              write(
                  stream,
                  frame("error", "{\"message\":\"stopped\",\"code\":\"cancelled\"}", "1.1.2"));
            }
          });
      server.on(
          CANCEL,
          stream -> {
            json(200, "{\"status\":\"cancelled\"}").write(stream);
            cancelled.countDown();
          });
      Chat chat = chat(server);
      FutureTask<Boolean> answered =
          new FutureTask<>(
              () -> {
                try (chat) {
                  return chat.say("Tell me a story");
                }
              });
      Thread.startVirtualThread(answered);
      out.await("Once upon", 1);

      chat.interrupt();

      assertThat(answered.get(30, TimeUnit.SECONDS)).isFalse();
      assertThat(server.requests(CANCEL)).hasSize(1);
    }
    assertThat(err.toString())
        .isEqualTo("error [cancelled]: stopped\nContinue with: engine chat help --session s-1\n");
  }

  @Test
  void an_interrupt_between_turns_cancels_nothing() throws IOException {
    try (ScriptedServer server = ScriptedServer.start()) {
      chat(server).interrupt();

      assertThat(server.requests(CANCEL)).isEmpty();
    }
    assertThat(err.toString()).isEmpty();
  }

  private Chat chat(ScriptedServer server) {
    Shell shell =
        new Shell(
            CommandRun.stream(""),
            out.stream(),
            err.stream(),
            server.environment(),
            false,
            InstantSource.system());
    String url = "http://127.0.0.1:" + server.environment().get("ENGINE_PORT");
    Patience patience = CommandRun.WITHOUT_PAUSES;
    return new Chat(
        new Chat.Parts(
            new ApiClient(new Target(url, false, null), patience),
            new Transcript(shell),
            new InputLines(shell.in()),
            false,
            patience),
        "help",
        "engine chat help",
        null);
  }
}
