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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A tool with a gate runs only after a person said so. */
@ParameterizedClass
@EnumSource
class GateTest {
  private static final String GATED =
      "[[tool current_time {\"timezone\":\"UTC\"}]] [[then]] [[say {{result}}]]";

  private final ApiClient client;
  private final Scene scene;

  GateTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
    scene = new Scene(client);
    scene.open(scene.agent(GateTest::gated));
  }

  private static void gated(ObjectNode agent) {
    agent.set("tools", Json.array(List.of("current_time")));
    agent.set("confirm_before", Json.array(List.of("current_time")));
  }

  @Test
  void an_approved_call_runs() {
    EventStream stream = scene.chat(GATED);
    EventStream.Event asked = stream.await(event -> event.name().equals("confirmation"));
    String callId = asked.data().path("call_id").textValue();
    assertThat(asked.data().path("tool").textValue()).isEqualTo("current_time");
    assertThat(asked.data().path("input")).isEqualTo(Json.object().put("timezone", "UTC"));

    JsonNode waiting = scene.session(stream.sessionId());
    assertThat(waiting.path("status").textValue()).isEqualTo("waiting");
    assertThat(waiting.path("pending")).hasSize(1);
    assertThat(waiting.path("pending").path(0).path("call_id").textValue()).isEqualTo(callId);
    assertThat(waiting.path("pending").path(0).path("input")).isEqualTo(asked.data().path("input"));

    scene.respond(stream.sessionId(), callId, "approve");
    assertThat(Scene.durable(stream.readAll()))
        .containsExactly("tool_call", "tool_result", "message", "done");
    JsonNode after = scene.session(stream.sessionId());
    assertThat(after.path("status").textValue()).isEqualTo("idle");
    assertThat(after.path("pending")).isEmpty();
  }

  @Test
  void a_rejected_call_does_not_run_and_the_model_hears_why() {
    EventStream stream = scene.chat(GATED);
    String callId = asked(stream);

    scene.respond(stream.sessionId(), callId, "reject: not today");
    List<EventStream.Event> events = stream.readAll();

    assertThat(Scene.durable(events)).containsExactly("tool_result", "message", "done");
    assertThat(Scene.of(events, "tool_result").data().path("error").textValue())
        .contains("not today");
    assertThat(Scene.of(events, "message").content()).contains("not today");
  }

  @Test
  void without_a_stream_the_answer_comes_at_the_gate_and_the_turn_goes_on() {
    JsonNode body = scene.ask("[[say One moment.]] " + GATED);

    assertThat(body.path("response").textValue()).isEqualTo("One moment.");
    JsonNode call = body.path("tool_calls").path(0);
    assertThat(call.path("status").textValue()).isEqualTo("awaiting_confirmation");
    String session = body.path("session_id").textValue();
    scene.respond(session, call.path("call_id").textValue(), "approve");
    List<EventStream.Event> events = client.attach(session, null).readAll();
    assertThat(Scene.durable(events))
        .containsExactly("message", "confirmation", "tool_call", "tool_result", "message", "done");
  }

  @Test
  void two_gates_can_be_open_at_once_and_are_answered_one_by_one() {
    JsonNode body =
        scene.ask(
            "[[tool current_time {\"timezone\":\"UTC\"}]]"
                + " [[tool current_time {\"timezone\":\"Asia/Tokyo\"}]] [[then]] [[say {{results}}]]");
    String session = body.path("session_id").textValue();
    assertThat(body.path("tool_calls")).hasSize(2);
    List<String> ids = body.path("tool_calls").findValuesAsText("call_id");
    assertThat(scene.session(session).path("pending").findValuesAsText("call_id")).isEqualTo(ids);

    scene.respond(session, ids.get(1), "approve");
    JsonNode half = scene.session(session);
    assertThat(half.path("status").textValue()).isEqualTo("waiting");
    assertThat(half.path("pending").findValuesAsText("call_id")).containsExactly(ids.get(0));
    scene.respond(session, ids.get(0), "reject:");

    List<EventStream.Event> events = client.attach(session, null).readAll();
    assertThat(Scene.durable(events))
        .containsExactly(
            "confirmation",
            "confirmation",
            "tool_call",
            "tool_result",
            "tool_result",
            "message",
            "done");
    assertThat(events)
        .filteredOn(event -> event.name().equals("tool_result"))
        .extracting(event -> event.data().path("error").isNull())
        .as("the results come in the order of the calls")
        .containsExactly(false, true);
  }

  @Test
  void an_answer_is_taken_once() {
    EventStream stream = scene.chat(GATED);
    String callId = asked(stream);
    scene.respond(stream.sessionId(), callId, "approve");

    assertThat(respond(stream.sessionId(), callId, "approve").error(409)).isEqualTo("conflict");
    assertThat(respond(stream.sessionId(), callId, "reject:").error(409)).isEqualTo("conflict");
    stream.readAll();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Approve", "approve ", "yes", "reject", "rejected", " reject: no"})
  void what_is_not_clearly_an_answer_is_refused_and_runs_nothing(String answer) {
    EventStream stream = scene.chat(GATED);
    String callId = asked(stream);

    assertThat(respond(stream.sessionId(), callId, answer).error(400)).isEqualTo("invalid_request");
    assertThat(scene.session(stream.sessionId()).path("pending")).hasSize(1);
    client.post("/api/v1/sessions/" + stream.sessionId() + "/cancel", null).expect(200);
  }

  @Test
  void an_unknown_call_or_one_of_another_session_is_not_found() {
    EventStream stream = scene.chat(GATED);
    String callId = asked(stream);
    String other = scene.chat("[[say hi]]").sessionId();

    assertThat(respond(stream.sessionId(), "call_none", "approve").error(404))
        .isEqualTo("not_found");
    assertThat(respond(other, callId, "approve").error(404)).isEqualTo("not_found");
    assertThat(respond("nowhere", callId, "approve").error(404)).isEqualTo("not_found");
    scene.respond(stream.sessionId(), callId, "reject:");
  }

  @Test
  void a_waiting_turn_is_busy_and_can_be_cancelled() {
    EventStream stream = scene.chat(GATED);
    String callId = asked(stream);
    ObjectNode message =
        Json.object().put("message", "again").put("session_id", stream.sessionId());
    assertThat(client.post("/api/v1/schemas/" + scene.schema() + "/chat", message).error(409))
        .isEqualTo("session_busy");

    client.post("/api/v1/sessions/" + stream.sessionId() + "/cancel", null).expect(200);
    List<EventStream.Event> events = stream.readAll();

    assertThat(events.getLast().data().path("code").textValue()).isEqualTo("cancelled");
    assertThat(respond(stream.sessionId(), callId, "approve").error(409)).isEqualTo("conflict");
    assertThat(scene.session(stream.sessionId()).path("pending")).isEmpty();
  }

  private agentengine.testing.Answer respond(String session, String callId, String answer) {
    ObjectNode body = Json.object().put("call_id", callId);
    body.putArray("answers").add(answer);
    return client.post("/api/v1/sessions/" + session + "/respond", body);
  }

  private static String asked(EventStream stream) {
    return stream
        .await(event -> event.name().equals("confirmation"))
        .data()
        .path("call_id")
        .textValue();
  }
}
