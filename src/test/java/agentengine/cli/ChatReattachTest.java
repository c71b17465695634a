package agentengine.cli;

import static agentengine.cli.ScriptedServer.delta;
import static agentengine.cli.ScriptedServer.done;
import static agentengine.cli.ScriptedServer.events;
import static agentengine.cli.ScriptedServer.json;
import static agentengine.cli.ScriptedServer.message;
import static agentengine.cli.ScriptedServer.startEvents;
import static agentengine.cli.ScriptedServer.write;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChatReattachTest {
  private static final String CHAT = "POST /schemas/help/chat";
  private static final String STREAM = "GET /sessions/s-1/stream";

  private final ScriptedServer server;

  ChatReattachTest() throws IOException {
    server = ScriptedServer.start();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  @Test
  void a_broken_stream_goes_on_behind_its_last_event() {
    server.on(CHAT, events(delta("Hel", "1.1.1"), delta("lo ", "1.1.2")));
    server.on(
        STREAM, events(delta("World", "1.1.3"), message("Hello World", "1.1.4"), done("1.1.5")));

    CommandRun run = ask();

    assertThat(run.status()).isZero();
    assertThat(run.out()).isEqualTo("Hello World\n");
    assertThat(server.requests(CHAT)).hasSize(1);
    assertThat(server.requests(STREAM))
        .singleElement()
        .extracting(request -> request.header("Last-Event-ID"))
        .isEqualTo("1.1.2");
  }

  @Test
  void a_stream_cut_in_the_middle_of_an_event_goes_on_before_it() {
    server.on(CHAT, events(delta("Hel", "1.1.1"), "event: message_delta\ndata: {\"cont"));
    server.on(STREAM, events(delta("lo", "1.1.2"), message("Hello", "1.1.3"), done("1.1.4")));

    assertThat(ask().out()).isEqualTo("Hello\n");
    assertThat(server.requests(STREAM).getFirst().header("Last-Event-ID")).isEqualTo("1.1.1");
  }

  @Test
  void a_replay_without_deltas_adds_what_is_missing() {
    server.on(CHAT, events(delta("Hel", "1.1.1")));
    server.on(STREAM, events(message("Hello", "1.1.9"), done("1.1.10")));

    assertThat(ask().out()).isEqualTo("Hello\n");
  }

  @Test
  void a_new_attempt_begins_its_text_on_a_new_line() {
    server.on(CHAT, events(delta("Helo", "1.1.1")));
    server.on(
        STREAM, events(delta("Good day", "1.2.1"), message("Good day", "1.2.2"), done("1.2.3")));

    assertThat(ask().out()).isEqualTo("Helo\nGood day\n");
  }

  @Test
  void what_was_settled_before_the_new_attempt_is_not_repeated() {
    server.on(CHAT, events(delta("One.", "1.1.1"), message("One.", "1.1.2"), delta("T", "1.1.3")));
    server.on(STREAM, events(delta("Two.", "1.2.1"), message("Two.", "1.2.2"), done("1.2.3")));

    assertThat(ask().out()).isEqualTo("One.\nT\nTwo.\n");
  }

  @Test
  void the_whole_message_is_the_truth() {
    server.on(CHAT, events(delta("Helo", "1.1.1"), message("Hello", "1.1.2"), done("1.1.3")));

    assertThat(ask().out()).isEqualTo("Helo\nHello\n");
  }

  @Test
  void a_silent_stream_is_a_broken_one() {
    CountDownLatch over = new CountDownLatch(1);
    server.on(
        CHAT,
        out -> {
          startEvents(out);
          write(out, delta("Hello", "1.1.1"));
          boolean _ = over.await(30, TimeUnit.SECONDS);
        });
    server.on(STREAM, events(message("Hello", "1.1.2"), done("1.1.3")));
    Patience impatient =
        new Patience(
            CommandRun.WITHOUT_PAUSES.connect(),
            CommandRun.WITHOUT_PAUSES.answer(),
            Duration.ofMillis(100),
            CommandRun.WITHOUT_PAUSES.pauses());

    CommandRun run =
        CommandRun.run(
            CommandRun.stream(""),
            server.environment(),
            false,
            impatient,
            "chat",
            "help",
            "--message",
            "Hi");
    over.countDown();

    assertThat(run.out()).isEqualTo("Hello\n");
  }

  @Test
  void an_engine_that_is_not_ready_is_asked_again() {
    server.on(CHAT, events(delta("Hel", "1.1.1")));
    server.on(STREAM, _ -> {});
    server.on(STREAM, json(503, "{\"error\":\"overloaded\",\"message\":\"starting\"}"));
    server.on(STREAM, events(message("Hello", "1.1.2"), done("1.1.3")));

    assertThat(ask().out()).isEqualTo("Hello\n");
  }

  @Test
  void the_tries_have_an_end() {
    server.on(CHAT, events(delta("Hel", "1.1.1")));
    server.on(STREAM, json(503, "{\"error\":\"overloaded\",\"message\":\"starting\"}"));

    CommandRun run = ask();

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEqualTo("Hel\n");
    assertThat(run.err()).contains("error [connection_lost]: ").contains("--session s-1");
    assertThat(server.requests(STREAM)).hasSize(CommandRun.WITHOUT_PAUSES.pauses().size());
  }

  @Test
  void each_event_that_comes_renews_the_tries() {
    server.on(CHAT, events(delta("1", "1.1.1")));
    for (int i = 2; i < 9; i++) {
      server.on(STREAM, events(delta(Integer.toString(i), "1.1." + i)));
    }
    server.on(STREAM, events(message("12345678", "1.1.9"), done("1.1.10")));

    assertThat(ask().out()).isEqualTo("12345678\n");
  }

  @Test
  void a_session_that_is_gone_is_not_asked_for_again() {
    server.on(CHAT, events(delta("Hel", "1.1.1")));
    server.on(STREAM, json(404, "{\"error\":\"not_found\",\"message\":\"session is gone\"}"));

    CommandRun run = ask();

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("error [not_found]: session is gone\n");
    assertThat(server.requests(STREAM)).hasSize(1);
  }

  @Test
  void a_local_session_that_has_expired_is_renewed() {
    server.on("GET /schemas/help", json(200, "{}"));
    server.on("POST /auth/local-session", json(200, "{\"access_token\":\"two\"}"));
    server.on(CHAT, json(401, "{\"error\":\"unauthorized\",\"message\":\"expired\"}"));
    server.on(CHAT, events(message("Hello", "1.1.1"), done("1.1.2")));

    CommandRun run = CommandRun.withInput("Hi\n", server.environment(), "chat", "help");

    assertThat(run.out()).isEqualTo("Hello\n");
    assertThat(server.requests(CHAT))
        .extracting(request -> request.header("Authorization"))
        .containsExactly("Bearer one", "Bearer two");
  }

  @Test
  void something_that_is_no_engine_is_told() {
    server.on(CHAT, json(200, "{}"));

    CommandRun run = ask();

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.err()).contains("does not speak like an engine").hasLineCount(1);
  }

  private CommandRun ask() {
    return CommandRun.of(server.environment(), "chat", "help", "--message", "Hi");
  }
}
