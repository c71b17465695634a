package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens when the model asks for tools. */
@ParameterizedClass
@EnumSource
class ToolTurnTest {
  private final TestEngine engine;
  private final ApiClient client;
  private final Scene scene;

  ToolTurnTest(TestDatabases.Kind kind) {
    engine = TestEngine.shared(kind);
    client = engine.admin();
    scene = new Scene(client);
  }

  @Test
  void a_tool_is_called_and_its_result_goes_back_to_the_model() {
    scene.open(scene.agentWith("current_time"));

    EventStream stream =
        scene.chat(
            "[[say Let me see.]] [[tool current_time {\"timezone\":\"Asia/Tokyo\"}]] [[then]]"
                + " [[say It is {{result}}]]");
    List<EventStream.Event> events = stream.readAll();

    assertThat(Scene.durable(events))
        .containsExactly("message", "tool_call", "tool_result", "message", "done");
    EventStream.Event call = Scene.of(events, "tool_call");
    assertThat(call.data())
        .isEqualTo(
            Json.parse("{\"tool\":\"current_time\",\"input\":{\"timezone\":\"Asia/Tokyo\"}}"));
    EventStream.Event result = Scene.of(events, "tool_result");
    assertThat(result.data().path("output").path("timezone").textValue()).isEqualTo("Asia/Tokyo");
    assertThat(result.data().get("error").isNull()).isTrue();

    JsonNode session = scene.session(stream.sessionId());
    assertThat(session.path("messages").findValuesAsText("role"))
        .containsExactly("user", "assistant", "tool", "assistant");
    JsonNode request = session.path("messages").path(1).path("tool_calls").path(0);
    assertThat(session.path("messages").path(2).path("call_id")).isEqualTo(request.path("call_id"));
    assertThat(session.path("messages").path(3).path("content").textValue()).contains("Asia/Tokyo");
  }

  @Test
  void the_model_is_told_of_the_agents_tools_with_their_schemas() {
    scene.open(scene.agentWith("current_time"));

    assertThat(scene.ask("[[say {{tools}}]]").path("response").textValue())
        .contains("current_time");
    JsonNode sent =
        engine.simulator().requests().getLast().body().path("tools").path(0).path("function");
    assertThat(sent.path("name").textValue()).isEqualTo("current_time");
    assertThat(sent.path("parameters").path("properties").path("timezone").path("type").textValue())
        .isEqualTo("string");
  }

  @Test
  void arguments_that_do_not_fit_are_a_result_and_no_call() {
    scene.open(scene.agentWith("current_time"));

    EventStream stream =
        scene.chat("[[tool current_time {\"timezone\":7}]] [[then]] [[say {{result}}]]");
    List<EventStream.Event> events = stream.readAll();

    assertThat(Scene.durable(events)).containsExactly("tool_result", "message", "done");
    JsonNode result = Scene.of(events, "tool_result").data();
    assertThat(result.get("output").isNull()).isTrue();
    assertThat(result.path("error").textValue()).contains("timezone");
  }

  @Test
  void arguments_that_are_not_json_are_a_result_and_no_call() {
    scene.open(scene.agentWith("current_time"));

    List<EventStream.Event> events =
        scene
            .chat(
                "[[tool check=off current_time {\"timezone]] [[then]] [[tool current_time {}]]"
                    + " [[then]] [[say done]]")
            .readAll();

    assertThat(Scene.durable(events))
        .containsExactly("tool_result", "tool_call", "tool_result", "message", "done");
    assertThat(Scene.of(events, "tool_result").data().path("error").textValue())
        .contains("not a JSON object");
  }

  @Test
  void parallel_calls_keep_their_order_even_if_ids_and_indexes_are_wrong() {
    scene.open(scene.agentWith("current_time"));

    JsonNode body =
        scene.ask(
            "[[tool index=0 id=a current_time {\"timezone\":\"Asia/Tokyo\"}]]"
                + " [[tool index=0 id=b current_time {\"timezone\":\"Europe/Oslo\"}]]"
                + " [[tool index=0 id=c current_time {\"timezone\":\"UTC\"}]]"
                + " [[then]] [[say {{results}}]]");

    assertThat(body.path("tool_calls").findValuesAsText("status"))
        .containsExactly("completed", "completed", "completed");
    assertThat(body.path("tool_calls"))
        .extracting(call -> call.path("input").path("timezone").textValue())
        .containsExactly("Asia/Tokyo", "Europe/Oslo", "UTC");
    assertThat(body.path("response").textValue())
        .containsSubsequence("Asia/Tokyo", "Europe/Oslo", "UTC");
    assertThat(body.path("tool_calls").findValuesAsText("call_id")).doesNotHaveDuplicates();
  }

  @Test
  void the_same_call_forever_ends_at_max_steps() {
    scene.open(
        scene.agent(
            agent -> agent.put("max_steps", 3).set("tools", Json.array(List.of("current_time")))));

    List<EventStream.Event> events = scene.chat("[[tool current_time {}]] [[loop]]").readAll();

    assertThat(Scene.durable(events))
        .containsExactly(
            "tool_call",
            "tool_result",
            "tool_call",
            "tool_result",
            "tool_call",
            "tool_result",
            "error");
    assertThat(events.getLast().data().path("code").textValue()).isEqualTo("max_steps");
  }

  @Test
  void a_long_turn_drops_its_oldest_results_and_goes_on() {
    scene.open(
        scene.agent(
            agent ->
                agent
                    .put("max_context_size", 1000)
                    .put("max_steps", 40)
                    .set("tools", Json.array(List.of("current_time")))));

    List<EventStream.Event> events =
        scene.chat("[[tool current_time {}]] [[loop]] " + "x".repeat(1000)).readAll();

    assertThat(events).filteredOn(event -> event.name().equals("tool_result")).hasSize(40);
    assertThat(events.getLast().data().path("code").textValue()).isEqualTo("max_steps");
    JsonNode sent = engine.simulator().requests().getLast().body().path("messages");
    assertThat(sent.findValuesAsText("role")).startsWith("user", "assistant", "tool");
    assertThat(sent.size()).isLessThan(80);
  }
}
