package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Agents that call agents. */
@ParameterizedClass
@EnumSource
class SubAgentTest {
  private final ApiClient client;
  private final Scene scene;

  SubAgentTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
    scene = new Scene(client);
  }

  @Test
  void a_sub_agents_answer_is_the_result_of_its_call() {
    String helper = scene.agentWith();
    scene.open(caller(helper));

    EventStream stream =
        scene.chat(spawn(helper, "[[say I am the helper]]") + " [[then]] [[say {{result}}!]]");
    List<EventStream.Event> events = stream.readAll();

    assertThat(Scene.durable(events))
        .containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(Scene.of(events, "tool_result").data().path("output").textValue())
        .isEqualTo("I am the helper");
    assertThat(Scene.of(events, "message").content()).isEqualTo("I am the helper!");
    JsonNode session = scene.session(stream.sessionId());
    JsonNode child = session.path("children").path(0);
    assertThat(child.path("agent").textValue()).isEqualTo(helper);
    assertThat(child.path("status").textValue()).isEqualTo("idle");
    assertThat(child.path("messages").findValuesAsText("content"))
        .containsExactly("[[say I am the helper]]", "I am the helper");
    assertThat(client.get("/api/v1/sessions/" + child.path("id").textValue()).error(404))
        .as("a sub-agent's conversation is part of its root's")
        .isEqualTo("not_found");
  }

  @Test
  void tokens_of_sub_agents_count_for_the_turn() {
    String helper = scene.agentWith();
    scene.open(caller(helper));

    JsonNode body =
        scene.ask(
            spawn(helper, "[[say a]] [[usage 1000 100]]")
                + spawn(helper, "[[say b]] [[usage 2000 200]]")
                + " [[usage 10 1]] [[then]] [[say ok]] [[usage 20 2]]");

    assertThat(body.path("tokens").intValue()).isEqualTo(3333);
  }

  @Test
  void a_persistent_sub_agent_keeps_its_conversation_and_a_spawned_one_does_not() {
    String persistent = scene.agentWith();
    String spawned = scene.agent(agent -> agent.put("lifecycle", "spawn"));
    scene.open(caller(persistent, spawned));
    String twice = "[[then]] ";

    String said = "[[say {{history}}]]";
    JsonNode body =
        scene.ask(
            spawn(persistent, said)
                + spawn(persistent, said)
                + twice
                + spawn(spawned, said)
                + spawn(spawned, said)
                + " [[then]] [[say ok]]");

    assertThat(body.path("tool_calls").findValuesAsText("output"))
        .containsExactly(
            "1 message: user",
            "3 messages: user, assistant, user",
            "1 message: user",
            "1 message: user");
    JsonNode session = scene.session(body.path("session_id").textValue());
    assertThat(session.path("children")).hasSize(3);
  }

  @Test
  void a_gate_in_a_nested_sub_agent_is_answered_on_the_root() {
    String inner =
        scene.agent(
            agent -> {
              agent.set("tools", Json.array(List.of("current_time")));
              agent.set("confirm_before", Json.array(List.of("current_time")));
            });
    String outer = caller(inner);
    scene.open(caller(outer));
    String deepest = "[[tool current_time {\"timezone\":\"UTC\"}]] [[then]] [[say got {{result}}]]";
    String middle = spawn(inner, deepest) + " [[then]] [[say {{result}}]]";

    EventStream stream = scene.chat(spawn(outer, middle) + " [[then]] [[say {{result}}]]");
    EventStream.Event asked = stream.await(event -> event.name().equals("confirmation"));
    assertThat(asked.data().path("tool").textValue()).isEqualTo("current_time");
    assertThat(scene.session(stream.sessionId()).path("pending")).hasSize(1);
    assertThat(scene.session(stream.sessionId()).path("status").textValue()).isEqualTo("waiting");
    scene.respond(stream.sessionId(), asked.data().path("call_id").textValue(), "approve");

    List<EventStream.Event> events = stream.readAll();
    assertThat(Scene.durable(events)).containsExactly("tool_result", "message", "done");
    assertThat(Scene.of(events, "message").content()).startsWith("got ").contains("UTC");
    JsonNode nested = scene.session(stream.sessionId()).path("children").path(0).path("children");
    assertThat(nested.path(0).path("messages").findValuesAsText("role"))
        .containsExactly("user", "assistant", "tool", "assistant");
  }

  @Test
  void an_agent_may_call_only_those_it_names() {
    String stranger = scene.agentWith();
    scene.open(scene.agentWith());

    JsonNode body = scene.ask(spawn(stranger, "[[say hi]]") + " [[then]] [[say {{result}}]]");

    assertThat(body.path("tool_calls").path(0).path("status").textValue()).isEqualTo("failed");
    assertThat(body.path("response").textValue()).contains("does not exist");
  }

  @Test
  void sub_agents_call_each_other_only_so_deep() {
    String agent = scene.agentWith();
    ObjectNode self = Json.object();
    self.set("can_spawn", Json.array(List.of(agent)));
    client.put("/api/v1/agents/" + agent, self).expect(200);
    scene.open(agent);
    String task = "[[say the bottom]]";
    for (int i = 0; i < 6; i++) {
      task = spawn(agent, task) + " [[then]] [[say {{result}}]]";
    }

    assertThat(scene.ask(task).path("response").textValue()).contains("at most 5 deep");
  }

  @Test
  void a_sub_agent_that_fails_is_a_failed_call() {
    String helper = scene.agent(agent -> agent.put("max_steps", 1));
    scene.open(caller(helper));

    JsonNode body =
        scene.ask(spawn(helper, "[[tool nothing {}]] [[loop]]") + " [[then]] [[say {{result}}]]");

    assertThat(body.path("response").textValue()).contains("max_steps");
  }

  @Test
  void cancelling_the_root_cancels_its_sub_agents() {
    String helper = scene.agentWith();
    scene.open(caller(helper));
    EventStream stream = scene.chat(spawn(helper, "[[say wait]] [[stall]]"));
    stream.await(event -> event.name().equals("tool_call"));

    client.post("/api/v1/sessions/" + stream.sessionId() + "/cancel", null).expect(200);

    List<EventStream.Event> events = stream.readAll();
    assertThat(events.getLast().data().path("code").textValue()).isEqualTo("cancelled");
    JsonNode session = scene.session(stream.sessionId());
    assertThat(session.path("status").textValue()).isEqualTo("idle");
    assertThat(session.path("children").path(0).path("status").textValue()).isEqualTo("idle");
  }

  private String caller(String... subAgents) {
    return scene.agent(agent -> agent.set("can_spawn", Json.array(List.of(subAgents))));
  }

  private static String spawn(String agent, String task) {
    return "[[tool spawn_" + agent + " " + Json.write(Json.object().put("task", task)) + "]] ";
  }
}
