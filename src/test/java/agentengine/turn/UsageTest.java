package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.FakeServer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What a session says about the tokens and the cost of what was said in it. */
@ParameterizedClass
@EnumSource
class UsageTest {
  private final ApiClient client;
  private final Scene scene;

  UsageTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
    scene = new Scene(client);
  }

  @Test
  void a_message_says_which_model_wrote_it_and_what_that_took() {
    scene.open(scene.agentWith());

    JsonNode session = ask("[[say Hi]] [[usage 12 5]]");

    JsonNode answer = session.path("messages").path(1);
    assertThat(answer.path("model").textValue()).isEqualTo("sim");
    assertThat(answer.path("usage"))
        .isEqualTo(
            Json.parse(
                """
                {"input_tokens": 12, "output_tokens": 5, "cached_tokens": 0, "reasoning_tokens": 0,
                 "estimated": false}
                """));
    assertThat(answer.path("tokens").intValue()).isEqualTo(5);
    assertThat(answer.has("cost")).as("nobody knows the price of this model").isFalse();
    JsonNode question = session.path("messages").path(0);
    assertThat(question.has("model") || question.has("usage")).isFalse();
  }

  @Test
  void what_the_provider_did_not_count_is_marked_as_an_estimate() {
    scene.open(scene.agentWith());

    JsonNode usage = ask("[[say Hi]] [[usage none]]").path("messages").path(1).path("usage");

    assertThat(usage.path("estimated").booleanValue()).isTrue();
    assertThat(usage.path("input_tokens").intValue()).isPositive();
    assertThat(usage.path("output_tokens").intValue()).isPositive();
  }

  @Test
  void a_session_sums_its_turns_with_their_sub_agents() {
    String helper = scene.agentWith();
    scene.open(scene.agent(agent -> agent.set("can_spawn", Json.array(List.of(helper)))));
    String task = Json.write(Json.object().put("task", "[[say a]] [[usage 1000 100]]"));

    JsonNode first =
        ask(
            "[[tool spawn_"
                + helper
                + " "
                + task
                + "]] [[usage 10 1]]"
                + " [[then]] [[say ok]] [[usage 20 2]]");
    scene.chat("[[say More]] [[usage 300 30]]", first.path("id").textValue()).readAll();

    JsonNode session = scene.session(first.path("id").textValue());
    assertThat(session.path("usage")).isEqualTo(usage(1330, 133));
    assertThat(session.path("children").path(0).path("usage")).isEqualTo(usage(1000, 100));
  }

  private static JsonNode usage(int input, int output) {
    return Json.parse(
        "{\"input_tokens\": %d, \"output_tokens\": %d, \"tokens\": %d}"
            .formatted(input, output, input + output));
  }

  @Test
  void the_cost_is_there_where_the_price_is_known_and_knows_what_came_from_a_cache() {
    String answer =
        """
        data: {"type":"message_start","message":{"usage":{"input_tokens":100,\
        "cache_read_input_tokens":1000,"cache_creation_input_tokens":400,"output_tokens":1}}}

        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

        data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hi"}}

        data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":50}}

        data: {"type":"message_stop"}

        """;
    try (FakeServer anthropic = FakeServer.saying("text/event-stream", answer)) {
      String model = TestEngine.freshName();
      client
          .post(
              "/api/v1/models",
              Json.object()
                  .put("name", model)
                  .put("type", "anthropic")
                  .put("model_name", "claude-sonnet-5-5")
                  .put("base_url", anthropic.url()))
          .expect(201);
      scene.open(scene.agent(agent -> agent.put("model", model)));

      JsonNode session = ask("Hello");

      // A million tokens are 2 USD, from the cache 0.20, into it 2.50, and 10 as an answer.
      JsonNode said = session.path("messages").path(1);
      assertThat(said.path("cost").doubleValue()).isEqualTo(0.0019);
      assertThat(said.path("usage").path("input_tokens").intValue()).isEqualTo(1_500);
      assertThat(said.path("usage").path("cached_tokens").intValue()).isEqualTo(1_000);
      assertThat(session.path("usage").path("cost").doubleValue()).isEqualTo(0.0019);
      assertThat(session.path("usage").path("tokens").intValue()).isEqualTo(1_550);
    }
  }

  private JsonNode ask(String message) {
    return scene.session(scene.ask(message).path("session_id").textValue());
  }
}
