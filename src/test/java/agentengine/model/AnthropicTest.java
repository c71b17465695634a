package agentengine.model;

import static agentengine.model.AnthropicDialect.block;
import static agentengine.model.AnthropicDialect.failure;
import static agentengine.model.AnthropicDialect.start;
import static agentengine.model.AnthropicDialect.stop;
import static agentengine.model.AnthropicDialect.text;
import static agentengine.model.AnthropicDialect.toolUse;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What only Anthropic's messages have: cache marks, pings, errors and refusals in a stream. */
class AnthropicTest {
  private static final AnthropicDialect CLAUDE = new AnthropicDialect();
  private static final JsonNode EPHEMERAL = Json.parse("{\"type\":\"ephemeral\"}");

  private static String answer(String... events) {
    return FakeServer.ok(CLAUDE.contentType()) + start() + String.join("", events);
  }

  @Test
  void the_version_of_the_api_is_named() {
    try (FakeProvider provider = FakeProvider.answering(CLAUDE, CLAUDE.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.head().lines())
          .anySatisfy(
              line -> assertThat(line).isEqualToIgnoringCase("anthropic-version: 2023-06-01"));
      assertThat(provider.head()).doesNotContainIgnoringCase("authorization:");
      assertThat(provider.body().path("stream").booleanValue()).isTrue();
      assertThat(provider.body().path("model").textValue()).isEqualTo("scripted");
    }
  }

  @Test
  void a_maximum_length_is_always_sent_because_it_must_be() {
    try (FakeProvider provider = FakeProvider.answering(CLAUDE, CLAUDE.saying("Hi"))) {
      provider.ask().good();
      assertThat(provider.body().path("max_tokens").intValue()).isPositive();

      provider.ask(Talk.sampled(new ModelRequest.Sampling(0.5, null, 77))).good();
      assertThat(provider.body().path("max_tokens").intValue()).isEqualTo(77);
      assertThat(provider.body().path("temperature").doubleValue()).isEqualTo(0.5);
      assertThat(provider.body().has("top_p")).isFalse();
    }
  }

  @Test
  void system_tools_and_the_conversation_so_far_are_marked_for_its_cache() {
    ToolDefinition clock = new ToolDefinition("clock", "Tells the time.", Json.object());
    try (FakeProvider provider = FakeProvider.answering(CLAUDE, CLAUDE.saying("Hi"))) {
      provider
          .ask(
              new ModelRequest(
                  "You help.",
                  List.of(
                      new ChatMessage.User("Weather?"),
                      new ChatMessage.Assistant("", List.of(Talk.OSLO, Talk.ROME)),
                      new ChatMessage.ToolResult("call-1", "weather", "sunny"),
                      new ChatMessage.ToolResult("call-2", "weather", "rainy")),
                  List.of(clock, Talk.WEATHER),
                  Talk.NO_SAMPLING))
          .good();

      JsonNode body = provider.body();
      assertThat(body.at("/system/0/cache_control")).isEqualTo(EPHEMERAL);
      assertThat(body.at("/tools/1/cache_control")).isEqualTo(EPHEMERAL);
      assertThat(body.at("/messages/2/content/1/cache_control")).isEqualTo(EPHEMERAL);
      // It takes four marks at most.
      assertThat(body.findValues("cache_control")).hasSize(3);
    }
  }

  @Test
  void a_call_without_arguments_is_sent_back_with_an_empty_object() {
    String first =
        answer(
            block(0, "{\"type\":\"tool_use\",\"id\":\"call-1\",\"name\":\"weather\",\"input\":{}}"),
            stop("tool_use"));
    try (FakeProvider provider = FakeProvider.answering(CLAUDE, first, CLAUDE.saying("Sun."))) {
      provider.askTwice("sunny").good();

      assertThat(provider.body().at("/messages/1/content/0/input")).isEqualTo(Json.object());
    }
  }

  @Test
  void arguments_that_are_not_json_are_sent_back_as_an_object_all_the_same() {
    ToolRequest broken = new ToolRequest("call-1", "weather", "{\"city\":");
    try (FakeProvider provider =
        FakeProvider.answering(
            CLAUDE, answer(toolUse(0, broken), stop("max_tokens")), CLAUDE.saying("Sorry."))) {
      provider.askTwice("the arguments are not JSON").good();

      assertThat(provider.body().at("/messages/1/content/0/input").isObject()).isTrue();
    }
  }

  @Test
  void pings_and_events_it_may_add_one_day_are_nothing_to_hear() {
    String ping = AnthropicDialect.event("ping", "");
    String novelty = AnthropicDialect.event("content_block_glow", "\"index\":0");
    try (FakeProvider provider =
        FakeProvider.answering(CLAUDE, answer(ping, text(0, "Hi"), novelty, stop("end_turn")))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.heard()).containsExactly("text Hi");
      assertThat(outcome.good().text()).isEqualTo("Hi");
    }
  }

  @Test
  void the_last_count_of_what_was_used_is_the_one_that_counts() {
    String delta =
        AnthropicDialect.event(
            "message_delta",
            """
            "delta":{"stop_reason":"end_turn","stop_sequence":null},
            "usage":{"input_tokens":60,"cache_creation_input_tokens":0,
            "cache_read_input_tokens":40,"output_tokens":7}""");
    try (FakeProvider provider =
        FakeProvider.answering(
            CLAUDE, answer(text(0, "Hi"), delta, AnthropicDialect.event("message_stop", "")))) {
      assertThat(provider.ask().good().usage())
          .isEqualTo(new ModelAnswer.Usage(100, 7, 40, 0, 0, false));
    }
  }

  @Test
  void an_overload_before_any_text_is_worth_another_try() {
    try (FakeProvider provider =
        FakeProvider.answering(
            CLAUDE,
            FakeServer.ok(CLAUDE.contentType()) + failure("overloaded_error", "Overloaded"),
            CLAUDE.saying("Here"))) {
      assertThat(provider.ask().good().text()).isEqualTo("Here");
      assertThat(provider.requests()).hasSize(2);
    }
  }

  @Test
  void its_own_status_for_an_overload_is_worth_another_try() {
    try (FakeProvider provider =
        FakeProvider.answering(
            CLAUDE, CLAUDE.refusal(529, "Overloaded", "retry-after: 0"), CLAUDE.saying("Here"))) {
      assertThat(provider.ask().good().text()).isEqualTo("Here");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"authentication_error", "permission_error", "invalid_request_error"})
  void a_refusal_inside_a_stream_is_final(String type) {
    try (FakeProvider provider =
        FakeProvider.answering(CLAUDE, answer(failure(type, "not with this key")))) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
      assertThat(failure.reason()).contains("not with this key");
      assertThat(provider.requests()).hasSize(1);
    }
  }

  @Test
  void a_model_that_refuses_to_answer_is_an_error_that_says_so() {
    try (FakeProvider provider = FakeProvider.answering(CLAUDE, answer(stop("refusal")))) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.retriable()).isFalse();
      assertThat(failure.reason()).containsIgnoringCase("refus");
      assertThat(provider.requests()).hasSize(1);
    }
  }

  @Test
  void a_model_that_refuses_in_the_middle_has_not_answered() {
    String refusal =
        AnthropicDialect.event(
                "message_delta",
                """
                "delta":{"stop_reason":"refusal","stop_sequence":null,"stop_details":
                {"type":"refusal","category":"cyber","explanation":"it could do harm"}},
                "usage":{"output_tokens":3}""")
            + AnthropicDialect.event("message_stop", "");
    try (FakeProvider provider =
        FakeProvider.answering(CLAUDE, answer(text(0, "First, take"), refusal))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.REFUSED);
      assertThat(outcome.bad().reason()).contains("refuses").contains("it could do harm");
      assertThat(outcome.heard()).containsExactly("text First, take");
    }
  }

  @Test
  void an_answer_that_was_cut_at_its_maximum_length_is_an_answer() {
    try (FakeProvider provider =
        FakeProvider.answering(CLAUDE, answer(text(0, "To be contin"), stop("max_tokens")))) {
      assertThat(provider.ask().good().text()).isEqualTo("To be contin");
    }
  }
}
