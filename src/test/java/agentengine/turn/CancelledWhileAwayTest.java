package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Turns that somebody cancelled and that nobody had time to end before the process did. */
@ParameterizedClass
@EnumSource
class CancelledWhileAwayTest {
  private final TestEngine engine;

  CancelledWhileAwayTest(TestDatabases.Kind kind) {
    engine = TestEngine.start(kind);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @Test
  void a_sub_agent_that_keeps_its_conversation_is_free_again() {
    Scene scene = new Scene(engine.admin());
    String helper = scene.agentWith();
    scene.open(scene.agent(agent -> agent.set("can_spawn", Json.array(List.of(helper)))));
    EventStream stream = scene.chat(spawn(helper, "[[say wait]] [[stall]]"));
    stream.await("tool_call");
    String session = stream.sessionId();
    awaitChild(scene, session);
    Jdbi.create(engine.database().jdbcUrl())
        .useHandle(
            handle ->
                handle.execute("UPDATE turn SET cancelled_at = 1 WHERE session_id = ?", session));

    engine.restart();

    EventStream.Event end = engine.admin().attach(session, null).readAll().getLast();
    assertThat(end.data().path("code").textValue()).isEqualTo("cancelled");
    JsonNode after = engine.admin().get("/api/v1/sessions/" + session).expect(200);
    assertThat(after.path("status").textValue()).isEqualTo("idle");
    assertThat(after.at("/children/0/status").textValue()).isEqualTo("idle");
    List<EventStream.Event> next =
        engine
            .admin()
            .chat(
                scene.schema(),
                spawn(helper, "[[say I listen]]") + "[[then]] [[say {{result}}]]",
                session)
            .readAll();
    assertThat(Scene.of(next, "message").content()).isEqualTo("I listen");
  }

  /** The sub-agent's turn begins a moment after its call. */
  private static void awaitChild(Scene scene, String session) {
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (scene.session(session).path("children").isEmpty()) {
      assertThat(System.nanoTime()).as("the sub-agent does not begin").isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static String spawn(String agent, String task) {
    return "[[tool spawn_" + agent + " " + Json.write(Json.object().put("task", task)) + "]] ";
  }
}
