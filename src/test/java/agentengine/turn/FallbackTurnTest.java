package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.FakeServer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Turns of agents whose first model fails. */
@ParameterizedClass
@EnumSource
class FallbackTurnTest {
  /** Says that it wants to be left alone for so long that nobody waits. */
  private static final String BUSY =
      "HTTP/1.1 429 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";

  private static final String TWO_STEPS =
      "[[say Looking]] [[tool current_time {}]] [[then]] [[say Done]]";

  private final TestDatabases.Kind kind;
  private final ApiClient client;
  private final FakeServer broken = FakeServer.start((_, out) -> FakeServer.write(out, BUSY));

  FallbackTurnTest(TestDatabases.Kind kind) {
    this.kind = kind;
    this.client = TestEngine.shared(kind).admin();
  }

  @AfterEach
  void close() {
    broken.close();
  }

  @Test
  void the_session_says_which_model_served() {
    Scene scene = scene(client, broken, List.of());

    JsonNode messages = scene.session(say(scene, "[[say I can]]", null)).path("messages");

    assertThat(messages.findValuesAsText("content")).contains("I can");
    assertThat(messages.findValuesAsText("model")).containsExactly("sim");
  }

  @Test
  void a_turn_stays_with_the_model_that_served_and_the_next_one_begins_with_the_first_again() {
    Scene scene = scene(client, broken, List.of());

    String session = say(scene, TWO_STEPS, null);
    assertThat(scene.session(session).path("messages").findValuesAsText("model"))
        .containsExactly("sim", "sim");
    assertThat(broken.requests()).as("asked for the first step only").hasSize(1);

    say(scene, "[[say Again]]", session);
    assertThat(broken.requests()).hasSize(2);
  }

  @Test
  void a_turn_stays_with_the_model_that_served_also_after_a_restart() {
    try (TestEngine own = TestEngine.start(kind)) {
      Scene scene = scene(own.admin(), broken, List.of("current_time"));
      EventStream stream = scene.chat(TWO_STEPS);
      String callId = stream.await("confirmation").data().path("call_id").textValue();
      own.restart();

      ApiClient after = own.admin();
      String session = stream.sessionId();
      after
          .post(
              "/api/v1/sessions/" + session + "/respond",
              Json.object().put("call_id", callId).set("answers", Json.array(List.of("approve"))))
          .expect(200);
      assertThat(Scene.of(after.attach(session, null).readAll(), "done")).isNotNull();

      assertThat(after.get("/api/v1/sessions/" + session).expect(200).findValuesAsText("model"))
          .containsExactly("sim", "sim");
      assertThat(broken.requests()).hasSize(1);
    }
  }

  @Test
  void a_model_that_broke_off_after_its_first_word_fails_the_turn() {
    String half = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Half an\"}}]}\n\n";
    try (FakeServer breaking =
        FakeServer.start(
            (_, out) -> FakeServer.write(out, FakeServer.cutShort("text/event-stream") + half))) {
      Scene scene = scene(client, breaking, List.of());

      List<EventStream.Event> events = scene.chat("[[say Never]]").readAll();

      assertThat(Scene.durable(events)).containsExactly("error");
      assertThat(events.getFirst().content()).isEqualTo("Half an");
      assertThat(events.getLast().data().path("code").textValue()).isEqualTo("model_error");
      assertThat(breaking.requests()).hasSize(1);
    }
  }

  @Test
  void when_all_models_fail_the_error_names_each() {
    String first = model(client, broken);
    String second = model(client, broken);
    Scene scene = new Scene(client);
    scene.open(
        scene.agent(
            agent ->
                agent
                    .put("model", first)
                    .set("fallback_models", Json.array(List.of(second, first)))));

    JsonNode error = scene.chat("[[say Never]]").readAll().getLast().data();

    assertThat(error.path("code").textValue()).isEqualTo("model_error");
    assertThat(error.path("message").textValue())
        .isEqualTo(
            "2 models failed: %s: the provider answered 429; %s: the provider answered 429",
            first, second);
  }

  /** An agent whose first model is this one, and whose second is the simulator. */
  private static Scene scene(ApiClient client, FakeServer first, List<String> gated) {
    Scene scene = new Scene(client);
    String model = model(client, first);
    return scene.open(
        scene.agent(
            agent -> {
              agent.put("model", model);
              agent.set("fallback_models", Json.array(List.of("sim")));
              agent.set("tools", Json.array(List.of("current_time")));
              agent.set("confirm_before", Json.array(gated));
            }));
  }

  private static String model(ApiClient client, FakeServer server) {
    return client
        .post(
            "/api/v1/models",
            Json.object()
                .put("name", TestEngine.freshName())
                .put("type", "openai_compatible")
                .put("model_name", "broken")
                .put("base_url", server.url()))
        .expect(201)
        .path("name")
        .textValue();
  }

  private static String say(Scene scene, String message, @Nullable String session) {
    EventStream stream = session == null ? scene.chat(message) : scene.chat(message, session);
    assertThat(Scene.of(stream.readAll(), "done")).isNotNull();
    return stream.sessionId();
  }
}
