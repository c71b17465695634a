package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The local runtime, whose wire format is a line of JSON a piece. */
class OllamaTest {
  private static final String NDJSON = "application/x-ndjson";
  private static final String END =
      """
      {"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop",\
      "prompt_eval_count":11,"eval_count":4}
      """;

  private static String text(String text) {
    return message("{\"role\":\"assistant\",\"content\":\"" + text + "\"}");
  }

  private static String message(String message) {
    return "{\"model\":\"m\",\"message\":" + message + ",\"done\":false}\n";
  }

  @Test
  void text_and_usage_come_from_its_lines() {
    try (FakeServer server = FakeServer.saying(NDJSON, text("Hello") + text(" there") + END)) {
      ModelCaller.Outcome outcome = ask(server);

      assertThat(outcome.heard()).containsExactly("text Hello", "text  there");
      assertThat(outcome.good().text()).isEqualTo("Hello there");
      assertThat(outcome.good().usage()).isEqualTo(ModelAnswer.Usage.of(11, 4));
    }
  }

  @Test
  void it_is_sent_the_conversation_in_its_own_form() {
    try (FakeServer server = FakeServer.saying(NDJSON, text("Hi") + END)) {
      ask(server).good();

      FakeServer.Request request = server.requests().getFirst();
      assertThat(request.head()).startsWith("POST /api/chat ");
      JsonNode body = Json.parse(request.body());
      assertThat(body.path("model").textValue()).isEqualTo("scripted");
      assertThat(body.path("stream").booleanValue()).isTrue();
      assertThat(body.path("messages").findValuesAsText("role")).containsExactly("system", "user");
      assertThat(body.path("messages").findValuesAsText("content"))
          .containsExactly("You help.", "Hello");
    }
  }

  @Test
  void thinking_is_heard_apart_from_the_text() {
    String thought =
        message("{\"role\":\"assistant\",\"content\":\"\",\"thinking\":\"Let me see\"}");
    try (FakeServer server = FakeServer.saying(NDJSON, thought + text("Yes") + END)) {
      ModelCaller.Outcome outcome = ask(server);

      assertThat(outcome.heard()).containsExactly("thinking Let me see", "text Yes");
      assertThat(outcome.good().text()).isEqualTo("Yes");
    }
  }

  @Test
  void its_tool_calls_get_ids_of_their_own() {
    String calls =
        message(
            """
            {"role":"assistant","content":"","tool_calls":[\
            {"function":{"name":"weather","arguments":{"city":"Oslo"}}},\
            {"function":{"index":1,"name":"weather","arguments":{"city":"Rome"}}}]}""");
    try (FakeServer server = FakeServer.saying(NDJSON, calls + END)) {
      List<ToolRequest> requests = ask(server).good().toolRequests();

      assertThat(requests).extracting(ToolRequest::tool).containsExactly("weather", "weather");
      assertThat(requests)
          .extracting(request -> Json.parse(request.arguments()).path("city").textValue())
          .containsExactly("Oslo", "Rome");
      assertThat(requests)
          .extracting(ToolRequest::callId)
          .doesNotHaveDuplicates()
          .allSatisfy(id -> assertThat(id).isNotBlank());
    }
  }

  @Test
  void calls_that_come_line_by_line_are_calls_of_their_own() {
    String oslo = call("{\"name\":\"weather\",\"arguments\":{\"city\":\"Oslo\"}}");
    String rome = call("{\"name\":\"weather\",\"arguments\":{\"city\":\"Rome\"}}");
    try (FakeServer server = FakeServer.saying(NDJSON, oslo + rome + END)) {
      assertThat(ask(server).good().toolRequests())
          .extracting(request -> Json.parse(request.arguments()).path("city").textValue())
          .containsExactly("Oslo", "Rome");
    }
  }

  private static String call(String function) {
    return message(
        "{\"role\":\"assistant\",\"content\":\"\",\"tool_calls\":[{\"function\":"
            + function
            + "}]}");
  }

  @Test
  void its_thinking_comes_back_with_the_calls_it_led_to() {
    Dialect ollama = new OllamaDialect();
    String first =
        ollama.answer(
            new Dialect.Piece.Thinking("Let me"),
            new Dialect.Piece.Thinking(" see."),
            new Dialect.Piece.Calls(List.of(Talk.OSLO)));
    try (FakeProvider provider = FakeProvider.answering(ollama, first, ollama.saying("Sun."))) {
      provider.askTwice("sunny").good();

      assertThat(provider.body().at("/messages/2/thinking").textValue()).isEqualTo("Let me see.");
    }
  }

  @Test
  void sampling_goes_into_its_options() {
    Dialect ollama = new OllamaDialect();
    try (FakeProvider provider = FakeProvider.answering(ollama, ollama.saying("Hi"))) {
      provider.ask(Talk.sampled(new ModelRequest.Sampling(0.5, 0.25, 77))).good();

      JsonNode options = provider.body().path("options");
      assertThat(options.path("temperature").doubleValue()).isEqualTo(0.5);
      assertThat(options.path("top_p").doubleValue()).isEqualTo(0.25);
      assertThat(options.path("num_predict").intValue()).isEqualTo(77);
    }
  }

  @Test
  void without_a_key_it_is_sent_none() {
    try (FakeServer server = FakeServer.saying(NDJSON, text("Hi") + END);
        ModelCaller caller =
            ModelCaller.of(
                new ModelRecord(
                    1,
                    "local",
                    ProviderKind.OLLAMA,
                    "m",
                    server.url(),
                    null,
                    Instant.ofEpochSecond(1_700_000_000)),
                ModelCaller.LIMITS)) {
      caller.ask("Hello").good();

      assertThat(server.requests().getFirst().head()).doesNotContainIgnoringCase("authorization");
    }
  }

  @Test
  void an_answer_that_was_cut_at_its_maximum_length_is_an_answer() {
    try (FakeServer server =
        FakeServer.saying(NDJSON, text("To be contin") + OllamaDialect.done("length"))) {
      assertThat(ask(server).good().text()).isEqualTo("To be contin");
    }
  }

  @Test
  void a_model_that_is_only_loaded_says_nothing() {
    try (FakeServer server = FakeServer.saying(NDJSON, OllamaDialect.done("load"))) {
      assertThat(ask(server).good().text()).isEmpty();
    }
  }

  @Test
  void an_error_line_is_a_failure_that_repeats_what_it_says() {
    try (FakeServer server =
        FakeServer.saying(NDJSON, text("Half") + "{\"error\":\"out of memory\"}\n")) {
      ModelCaller.Outcome outcome = ask(server);

      assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
      assertThat(outcome.bad().reason()).contains("out of memory");
      assertThat(outcome.heard()).containsExactly("text Half");
    }
  }

  @Test
  void an_answer_that_ends_too_early_is_a_broken_connection() {
    try (FakeServer ended = FakeServer.saying(NDJSON, text("Half"));
        FakeServer cut =
            FakeServer.start(
                (_, out) -> FakeServer.write(out, FakeServer.cutShort(NDJSON) + text("Half")))) {
      for (FakeServer server : List.of(ended, cut)) {
        ModelCaller.Outcome outcome = ask(server);

        assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.CONNECTION);
        assertThat(outcome.heard()).containsExactly("text Half");
        assertThat(server.requests()).hasSize(1);
      }
    }
  }

  @Test
  void a_line_that_is_not_json_is_malformed() {
    try (FakeServer server = FakeServer.saying(NDJSON, text("Half") + "{\"model\":\n" + END)) {
      assertThat(ask(server).bad().kind()).isEqualTo(ModelException.Kind.MALFORMED);
    }
  }

  @Test
  void a_web_page_is_some_other_server() {
    try (FakeServer server =
        FakeServer.saying("text/html", "<html>\n<body>Hello</body>\n</html>\n")) {
      ModelException failure = ask(server).bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.MALFORMED);
      assertThat(failure.reason()).contains("web page");
    }
  }

  @Test
  void a_missing_model_is_refused_with_the_reason_it_gives() {
    try (FakeServer server =
        FakeServer.start(
            (_, out) ->
                FakeServer.write(
                    out,
                    "HTTP/1.1 404 Not Found\r\nContent-Type: application/json\r\n"
                        + "Connection: close\r\n\r\n{\"error\":\"model 'm' not found\"}"))) {
      ModelException failure = ask(server).bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
      assertThat(failure.reason()).contains("404").contains("model 'm' not found");
    }
  }

  @Test
  void one_that_falls_silent_is_left_and_a_cancelled_call_ends() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    try (FakeServer server =
            FakeServer.start(
                (_, out) -> {
                  FakeServer.write(out, FakeServer.ok(NDJSON) + text("Half"));
                  await(end);
                });
        ModelCaller patient = ModelCaller.of(ProviderKind.OLLAMA, server.url());
        ModelCaller hasty =
            ModelCaller.of(
                ProviderKind.OLLAMA,
                server.url(),
                new ModelLimits(
                    Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofMillis(300)))) {
      assertThat(hasty.ask("Hello").bad().kind()).isEqualTo(ModelException.Kind.TIMEOUT);

      ModelCaller.Running call = patient.begin("Hello");
      call.awaitFirstPiece();
      call.cancel();
      assertThat(call.outcome().bad().kind()).isEqualTo(ModelException.Kind.CANCELLED);
      assertThat(call.outcome().leftInterrupted()).isFalse();
    } finally {
      end.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      boolean _ = latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static ModelCaller.Outcome ask(FakeServer server) {
    try (ModelCaller caller = ModelCaller.of(ProviderKind.OLLAMA, server.url())) {
      ModelCaller.Outcome outcome = caller.ask("Hello");
      assertThat(outcome.leftInterrupted()).isFalse();
      return outcome;
    }
  }
}
