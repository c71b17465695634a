package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Nobody is asked for ever. */
@ParameterizedClass
@EnumSource
class GateExpiryTest {
  private final TestDatabases.Kind kind;

  GateExpiryTest(TestDatabases.Kind kind) {
    this.kind = kind;
  }

  @Test
  void a_gate_that_nobody_answers_in_time_is_a_rejection() {
    try (TestEngine engine = TestEngine.start(kind)) {
      ApiClient client = engine.admin();
      ObjectNode settings = Json.object();
      settings.putObject("limits").put("confirmation", "500ms");
      client.put("/api/v1/settings", settings).expect(200);
      Scene scene = new Scene(client);
      scene.open(
          scene.agent(
              agent -> {
                agent.set("tools", Json.array(List.of("current_time")));
                agent.set("confirm_before", Json.array(List.of("current_time")));
              }));

      EventStream stream = scene.chat("[[tool current_time {}]] [[then]] [[say {{result}}]]");
      List<EventStream.Event> events = stream.readAll();

      assertThat(Scene.durable(events))
          .containsExactly("confirmation", "tool_result", "message", "done");
      assertThat(Scene.of(events, "tool_result").data().path("error").textValue())
          .contains("nobody answered");
      ObjectNode late =
          Json.object()
              .put("call_id", Scene.of(events, "confirmation").data().path("call_id").textValue());
      late.putArray("answers").add("approve");
      assertThat(
              client.post("/api/v1/sessions/" + stream.sessionId() + "/respond", late).error(409))
          .isEqualTo("conflict");
    }
  }
}
