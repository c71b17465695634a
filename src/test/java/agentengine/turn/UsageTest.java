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
  void the_cost_is_there_where_the_price_is_known() {
    String answer =
        """
        {"model":"m","message":{"role":"assistant","content":"Hi"},"done":true,"done_reason":"stop",\
        "prompt_eval_count":11,"eval_count":4}
        """;
    try (FakeServer ollama = FakeServer.saying("application/x-ndjson", answer)) {
      String model = TestEngine.freshName();
      client
          .post(
              "/api/v1/models",
              Json.object()
                  .put("name", model)
                  .put("type", "ollama")
                  .put("model_name", "qwen3:8b")
                  .put("base_url", ollama.url()))
          .expect(201);
      scene.open(scene.agent(agent -> agent.put("model", model)));

      JsonNode session = ask("Hello");

      assertThat(session.path("messages").path(1).path("cost").isNumber()).isTrue();
      assertThat(session.path("messages").path(1).path("cost").doubleValue()).isZero();
      assertThat(session.path("usage").path("cost").doubleValue()).isZero();
      assertThat(session.path("usage").path("tokens").intValue()).isEqualTo(15);
    }
  }

  private JsonNode ask(String message) {
    return scene.session(scene.ask(message).path("session_id").textValue());
  }
}
