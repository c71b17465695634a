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

/** An agent that shows something ends its turn with it. */
@ParameterizedClass
@EnumSource
class StructuredOutputTurnTest {
  private static final String FORM =
      """
      {"output_type":"form","title":"Your trip","questions":[\
      {"id":"where","label":"Where to?","type":"text"},\
      {"id":"class","label":"Class?","type":"select","options":[{"label":"1"},{"label":"2"} ]} ]}\
      """;

  private final TestEngine engine;
  private final ApiClient client;
  private final Scene scene;

  StructuredOutputTurnTest(TestDatabases.Kind kind) {
    engine = TestEngine.shared(kind);
    client = engine.admin();
    scene = new Scene(client);
    scene.open(scene.agentWith("show_structured_output", "current_time"));
  }

  @Test
  void it_stands_alone_and_the_turn_ends_right_after() {
    EventStream stream = scene.chat("[[say Please:]] [[tool show_structured_output " + FORM + "]]");
    List<EventStream.Event> events = stream.readAll();

    assertThat(Scene.durable(events)).containsExactly("message", "structured_output", "done");
    assertThat(Scene.of(events, "structured_output").data()).isEqualTo(Json.parse(FORM));
  }

  @Test
  void the_answers_to_a_form_come_as_the_next_message_and_the_history_stays_valid() {
    EventStream stream = scene.chat("[[tool show_structured_output " + FORM + "]]");
    stream.readAll();

    List<EventStream.Event> events =
        scene.chat("[[say {{history}}]] where: Oslo", stream.sessionId()).readAll();

    assertThat(Scene.of(events, "message").content())
        .isEqualTo("5 messages: user, assistant, tool, assistant, user");
  }

  @Test
  void a_bad_payload_goes_back_to_the_model() {
    List<EventStream.Event> events =
        scene
            .chat(
                "[[tool show_structured_output {\"output_type\":\"chart\"}]] [[then]]"
                    + " [[tool show_structured_output "
                    + FORM
                    + "]]")
            .readAll();

    assertThat(Scene.durable(events)).containsExactly("tool_result", "structured_output", "done");
    assertThat(Scene.of(events, "tool_result").data().path("error").textValue())
        .contains("output_type");
  }

  @Test
  void other_calls_of_the_same_step_come_first_and_a_second_output_is_refused() {
    EventStream stream =
        scene.chat(
            "[[tool show_structured_output "
                + FORM
                + "]] [[tool current_time {}]] [[tool show_structured_output "
                + FORM
                + "]]");

    assertThat(Scene.durable(stream.readAll()))
        .containsExactly("tool_call", "tool_result", "tool_result", "structured_output", "done");
    assertThat(scene.session(stream.sessionId()).path("status").textValue()).isEqualTo("idle");
  }

  @Test
  void without_a_stream_it_is_among_the_calls() {
    JsonNode body = scene.ask("[[tool show_structured_output " + FORM + "]]");

    JsonNode call = body.path("tool_calls").path(0);
    assertThat(call.path("tool").textValue()).isEqualTo("show_structured_output");
    assertThat(call.path("status").textValue()).isEqualTo("completed");
    assertThat(call.path("input")).isEqualTo(Json.parse(FORM));
  }

  @Test
  void what_a_sub_agent_shows_is_its_answer() {
    String helper = scene.agentWith("show_structured_output");
    Scene other = new Scene(client);
    other.open(other.agent(agent -> agent.set("can_spawn", Json.array(List.of(helper)))));

    JsonNode body =
        other.ask(
            "[[tool spawn_"
                + helper
                + " "
                + Json.write(
                    Json.object().put("task", "[[tool show_structured_output " + FORM + "]]"))
                + "]] [[then]] [[say ok]]");

    assertThat(Json.parse(body.path("tool_calls").path(0).path("output").textValue()))
        .isEqualTo(Json.parse(FORM));
  }
}
