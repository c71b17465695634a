package agentengine.cli;

import static agentengine.cli.ScriptedServer.done;
import static agentengine.cli.ScriptedServer.frame;
import static agentengine.cli.ScriptedServer.json;
import static agentengine.cli.ScriptedServer.message;
import static agentengine.cli.ScriptedServer.startEvents;
import static agentengine.cli.ScriptedServer.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChatGateTest {
  private static final String CHAT = "POST /schemas/shop/chat";
  private static final String RESPOND = "POST /sessions/s-1/respond";
  private static final String GATE =
      frame(
          "confirmation",
          "{\"tool\":\"pay\",\"input\":{\"amount\":12},\"call_id\":\"call-7\"}",
          "1.1.1");
  private static final String PAID =
      frame("tool_call", "{\"tool\":\"pay\",\"input\":{\"amount\":12}}", "1.1.2")
          + frame("tool_result", "{\"tool\":\"pay\",\"output\":\"ok\",\"error\":null}", "1.1.3")
          + message("Paid.", "1.1.4")
          + done("1.1.5");

  private final ScriptedServer server;
  private final CountDownLatch answered = new CountDownLatch(1);

  ChatGateTest() throws IOException {
    server = ScriptedServer.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "y, approve",
    "YES, approve",
    "n, reject:",
    "'', reject:",
    "too much, reject: too much",
    "yes please, reject: yes please"
  })
  void what_is_typed_is_the_answer_while_the_stream_stays_open(String typed, String answer) {
    server.on(CHAT, this::streamThatWaitsForTheAnswer);
    server.on(RESPOND, this::acknowledge);

    CommandRun run = pay(typed + "\n");

    assertThat(run.status()).isZero();
    assertThat(run.out()).isEqualTo("Paid.\n");
    assertThat(run.err())
        .startsWith("[pay wants to run with {\"amount\":12}]\napprove? [y/N/reason] \n")
        .contains("[calling pay {\"amount\":12}]\n[pay returned ok]\n");
    assertThat(server.requests(RESPOND))
        .singleElement()
        .extracting(ScriptedServer.Request::body)
        .isEqualTo("{\"call_id\":\"call-7\",\"answers\":[\"" + answer + "\"]}");
  }

  @Test
  void nobody_there_is_a_rejection() {
    server.on(CHAT, this::streamThatWaitsForTheAnswer);
    server.on(RESPOND, this::acknowledge);

    assertThat(pay("").status()).isZero();
    assertThat(server.requests(RESPOND).getFirst().body())
        .contains("[\"reject: nobody was there to approve\"]");
  }

  @Test
  void an_answer_is_sent_again_when_its_connection_breaks() {
    server.on(CHAT, this::streamThatWaitsForTheAnswer);
    server.on(RESPOND, _ -> {}).on(RESPOND, this::acknowledge);

    assertThat(pay("y\n").out()).isEqualTo("Paid.\n");
    assertThat(server.requests(RESPOND)).hasSize(2);
  }

  @Test
  void a_refused_answer_is_told_and_the_turn_goes_on() {
    server.on(CHAT, this::streamThatWaitsForTheAnswer);
    server.on(
        RESPOND,
        out -> {
          json(409, "{\"error\":\"conflict\",\"message\":\"answered already\"}").write(out);
          answered.countDown();
        });

    CommandRun run = pay("y\n");

    assertThat(run.out()).isEqualTo("Paid.\n");
    assertThat(run.err()).contains("error [conflict]: answered already\n");
  }

  @Test
  void a_question_that_somebody_else_answered_keeps_nobody_waiting() throws IOException {
    server.on(CHAT, ScriptedServer.events(GATE, PAID));

    try (PipedOutputStream silent = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(silent)) {
      CommandRun run =
          CommandRun.run(
              in,
              server.environment(),
              true,
              CommandRun.WITHOUT_PAUSES,
              "chat",
              "shop",
              "--message",
              "Pay!");

      assertThat(run.status()).isZero();
      assertThat(run.out()).isEqualTo("Paid.\n");
    }
    assertThat(server.requests(RESPOND)).isEmpty();
  }

  @Test
  void what_is_typed_after_such_a_question_is_a_message() throws Exception {
    server.on(CHAT, ScriptedServer.events(GATE, PAID));
    server.on(CHAT, ScriptedServer.events(message("Welcome.", "2.1.1"), done("2.1.2")));
    server.on("GET /schemas/shop", json(200, "{}"));

    Printed err = new Printed();
    try (PipedOutputStream keyboard = new PipedOutputStream();
        PipedInputStream in = new PipedInputStream(keyboard)) {
      Shell shell =
          new Shell(
              in,
              new Printed().stream(),
              err.stream(),
              server.environment(),
              true,
              InstantSource.system());
      Thread chat =
          Thread.startVirtualThread(
              () -> CommandRun.program(shell, CommandRun.WITHOUT_PAUSES).run("chat", "shop"));
      write(keyboard, "Pay!\n");
      err.await("you> ", 2);
      write(keyboard, "Thanks.\n/quit\n");
      assertThat(chat.join(Duration.ofSeconds(30))).isTrue();
    }

    assertThat(server.requests(RESPOND)).isEmpty();
    assertThat(server.requests(CHAT).getLast().body())
        .isEqualTo("{\"message\":\"Thanks.\",\"session_id\":\"s-1\"}");
  }

  private CommandRun pay(String input) {
    return CommandRun.withInput(input, server.environment(), "chat", "shop", "--message", "Pay!");
  }

  private void streamThatWaitsForTheAnswer(OutputStream out)
      throws IOException, InterruptedException {
    startEvents(out);
    write(out, GATE);
    if (answered.await(30, TimeUnit.SECONDS)) {
      write(out, PAID);
    }
  }

  private void acknowledge(OutputStream out) throws IOException, InterruptedException {
    json(200, "{\"status\":\"ok\",\"call_id\":\"call-7\"}").write(out);
    answered.countDown();
  }
}
