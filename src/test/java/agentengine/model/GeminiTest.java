package agentengine.model;

import static agentengine.model.GeminiDialect.call;
import static agentengine.model.GeminiDialect.finish;
import static agentengine.model.GeminiDialect.parts;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What only Google's models have: prompts that are blocked, ids that may be missing, pauses in a
 * body.
 */
class GeminiTest {
  private static final GeminiDialect GEMINI = new GeminiDialect();

  private static String answer(String... events) {
    return FakeServer.ok(GEMINI.contentType()) + String.join("", events);
  }

  @Test
  void sampling_goes_into_the_configuration_of_the_generation() {
    try (FakeProvider provider = FakeProvider.answering(GEMINI, GEMINI.saying("Hi"))) {
      provider.ask(Talk.sampled(new ModelRequest.Sampling(0.5, 0.25, 77))).good();

      JsonNode config = provider.body().path("generationConfig");
      assertThat(config.path("temperature").doubleValue()).isEqualTo(0.5);
      assertThat(config.path("topP").doubleValue()).isEqualTo(0.25);
      assertThat(config.path("maxOutputTokens").intValue()).isEqualTo(77);
    }
  }

  @Test
  void sampling_that_is_not_set_is_left_to_the_provider() {
    try (FakeProvider provider = FakeProvider.answering(GEMINI, GEMINI.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.body().path("generationConfig")).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gemini-3.1-pro-preview", "gemini-3.8-flash"})
  void a_model_that_thinks_is_asked_to_show_it(String model) {
    try (FakeProvider provider = FakeProvider.serving(GEMINI, model, GEMINI.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.body().at("/generationConfig/thinkingConfig"))
          .isEqualTo(Json.object().put("includeThoughts", true));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gemini-2.0-flash", "gemma-3-27b-it", "scripted"})
  void a_model_that_may_not_think_is_not_asked(String model) {
    try (FakeProvider provider = FakeProvider.serving(GEMINI, model, GEMINI.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.body().findValue("thinkingConfig")).isNull();
    }
  }

  @Test
  void a_name_may_be_written_as_google_lists_it() {
    try (FakeProvider provider =
        FakeProvider.serving(GEMINI, "models/gemini-3.5-flash", GEMINI.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.head())
          .startsWith("POST " + GEMINI.target("gemini-3.5-flash") + " HTTP/1.1");
    }
  }

  @Test
  void a_result_that_is_an_object_and_one_that_is_not_are_both_objects() {
    String first = answer(parts(call(Talk.OSLO), call(Talk.ROME)), finish("STOP"));
    try (FakeProvider provider = FakeProvider.answering(GEMINI, first, GEMINI.saying("Sun."))) {
      provider.askTwice("{\"sky\":\"blue\"}", "[1,2]").good();

      JsonNode results = provider.body().at("/contents/2/parts");
      assertThat(results.at("/0/functionResponse/response").isObject()).isTrue();
      assertThat(results.at("/0/functionResponse/response").toString()).contains("blue");
      assertThat(results.at("/1/functionResponse/response").isObject()).isTrue();
      assertThat(results.at("/1/functionResponse/response").toString()).contains("1,2");
    }
  }

  @Test
  void a_call_that_has_an_id_is_answered_under_that_id() {
    String first =
        answer(
            parts(
                """
                {"functionCall":{"id":"fc-7","name":"weather","args":{"city":"Oslo"}},\
                "thoughtSignature":"c2lnbmVk"}"""),
            finish("STOP"));
    try (FakeProvider provider =
        FakeProvider.serving(GEMINI, "gemini-3.5-flash", first, GEMINI.saying("Sun."))) {
      provider.askTwice("sunny").good();

      assertThat(provider.body().at("/contents/1/parts/0/functionCall/id").textValue())
          .isEqualTo("fc-7");
      assertThat(provider.body().at("/contents/2/parts/0/functionResponse/id").textValue())
          .isEqualTo("fc-7");
    }
  }

  @Test
  void a_call_without_arguments_may_leave_them_out() {
    String first = answer(parts("{\"functionCall\":{\"name\":\"weather\"}}"), finish("STOP"));
    try (FakeProvider provider = FakeProvider.answering(GEMINI, first)) {
      assertThat(provider.ask().good().toolRequests())
          .extracting(ToolRequest::arguments)
          .containsExactly("{}");
    }
  }

  @Test
  void a_prompt_that_is_blocked_is_an_error_that_says_so() {
    String blocked =
        Dialect.sse(
            """
            {"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"},
            "usageMetadata":{"promptTokenCount":7,"totalTokenCount":7},"modelVersion":"m"}""");
    try (FakeProvider provider = FakeProvider.answering(GEMINI, answer(blocked))) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.retriable()).isFalse();
      assertThat(failure.reason()).contains("PROHIBITED_CONTENT");
      assertThat(provider.requests()).hasSize(1);
    }
  }

  @Test
  void an_answer_that_is_stopped_in_the_middle_is_not_taken_for_a_whole_one() {
    String stopped =
        Dialect.sse(
            "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Half an\"}]},"
                + "\"finishReason\":\"SAFETY\"}]}");
    try (FakeProvider provider = FakeProvider.answering(GEMINI, answer(stopped))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.bad().reason()).contains("SAFETY");
      assertThat(outcome.heard()).containsExactly("text Half an");
      assertThat(provider.requests()).hasSize(1);
    }
  }

  @Test
  void a_name_with_signs_of_an_address_in_it_stays_a_name() {
    try (FakeProvider provider = FakeProvider.serving(GEMINI, "../a b?c#d", GEMINI.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.head())
          .startsWith("POST /v1beta/models/..%2Fa%20b%3Fc%23d:streamGenerateContent?alt=sse ");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SAFETY", "RECITATION", "MALFORMED_FUNCTION_CALL"})
  void an_end_without_anything_said_is_an_error_that_says_why(String reason) {
    String ended =
        Dialect.sse("{\"candidates\":[{\"finishReason\":\"" + reason + "\",\"index\":0}]}");
    try (FakeProvider provider = FakeProvider.answering(GEMINI, answer(ended))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.bad().reason()).contains(reason);
      assertThat(outcome.heard()).isEmpty();
    }
  }

  @Test
  void an_answer_that_was_cut_at_its_maximum_length_is_an_answer() {
    try (FakeProvider provider =
        FakeProvider.answering(
            GEMINI, answer(parts("{\"text\":\"To be contin\"}"), finish("MAX_TOKENS")))) {
      assertThat(provider.ask().good().text()).isEqualTo("To be contin");
    }
  }

  @Test
  void a_pause_that_it_wants_is_read_from_the_body() {
    try (FakeProvider brief = FakeProvider.answering(GEMINI, busy("0s"), GEMINI.saying("Now"));
        FakeProvider longer = FakeProvider.answering(GEMINI, busy("34.5s"), GEMINI.saying("No"))) {
      assertThat(brief.ask().good().text()).isEqualTo("Now");

      ModelException failure = longer.ask().bad();
      assertThat(failure.retryAfter()).isBetween(Duration.ofSeconds(34), Duration.ofSeconds(35));
      assertThat(longer.requests()).hasSize(1);
    }
  }

  private static String busy(String delay) {
    return "HTTP/1.1 429 Too Many Requests\r\nContent-Type: application/json\r\n"
        + "Connection: close\r\n\r\n"
        + """
        {"error":{"code":429,"message":"You exceeded your current quota.",
        "status":"RESOURCE_EXHAUSTED","details":[
        {"@type":"type.googleapis.com/google.rpc.Help","links":[]},
        {"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"%s"}]}}
        """
            .formatted(delay);
  }

  @Test
  void an_error_in_a_list_says_what_it_says() {
    String list =
        "HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n["
            + GEMINI.error(400, "API key not valid. Please pass a valid API key.")
            + "]";
    try (FakeProvider provider = FakeProvider.answering(GEMINI, list)) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
      assertThat(failure.reason()).contains("400: API key not valid.");
    }
  }

  @Test
  void an_error_that_breaks_the_form_of_the_stream_is_not_the_end_of_an_answer() {
    String error =
        "{\n  \"error\": {\n    \"code\": 503,\n    \"message\": \"overloaded\"\n  }\n}\n";
    try (FakeProvider provider =
        FakeProvider.answering(GEMINI, answer(parts("{\"text\":\"Half\"}"), error))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.bad().retriable()).isTrue();
      assertThat(outcome.heard()).containsExactly("text Half");
    }
  }
}
