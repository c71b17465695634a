package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.simulator.Received;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.FakeServer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Turns whose request brings a model and a key. */
@ParameterizedClass
@EnumSource
class OverriddenTurnTest {
  private static final String KEY = "key-of-the-caller";
  private static final Map<String, String> OWN_KEY =
      Map.of("X-Model-Provider", "openai_compatible", "X-Model-API-Key", KEY);

  private final TestEngine engine;
  private ApiClient client;

  OverriddenTurnTest(TestDatabases.Kind kind) {
    engine = TestEngine.start(kind);
    client = engine.admin();
  }

  @BeforeEach
  void allowOverrides() {
    ObjectNode settings = Json.object();
    ObjectNode override = settings.putObject("model_override").put("enabled", true);
    override.set("providers", Json.array(List.of("openai_compatible", "ollama")));
    client.put("/api/v1/settings", settings).expect(200);
  }

  @AfterEach
  void stop() {
    engine.close();
  }

  @Test
  void the_model_is_called_with_the_callers_key_and_name() {
    JsonNode answer = ask("[[say I am {{model}}]]", withName("large")).expect(200);

    assertThat(answer.path("response").textValue()).isEqualTo("I am large");
    assertThat(keysUsed()).containsExactly("Bearer " + KEY);
  }

  @Test
  void a_stream_uses_it_too_and_without_a_name_the_records_is_used() {
    List<EventStream.Event> events =
        client.chat("help", "[[say I am {{model}}]]", OWN_KEY).readAll();

    assertThat(Scene.of(events, "message").content()).isEqualTo("I am scripted");
    assertThat(keysUsed()).containsExactly("Bearer " + KEY);
  }

  @Test
  void the_next_turn_of_the_session_uses_the_agents_own_key_again() {
    EventStream stream = client.chat("help", "[[say one]]", OWN_KEY);
    stream.readAll();

    client.chat("help", "[[say two]]", stream.sessionId()).readAll();

    assertThat(keysUsed()).containsExactly("Bearer " + KEY, "Bearer key-of-the-model");
  }

  @Test
  void every_step_of_the_turn_and_its_sub_agents_use_it() {
    client
        .post(
            "/api/v1/models",
            Json.object()
                .put("name", "other")
                .put("type", "openai_compatible")
                .put("base_url", engine.simulator().baseUrl())
                .put("model_name", "other")
                .put("api_key", "key-of-the-other"))
        .expect(201);
    Scene scene = new Scene(client);
    String helper = scene.agent(fields -> fields.put("model", "other"));
    String middle = scene.agent(agent -> spawns(agent.put("model", "other"), helper));
    scene.open(scene.agent(agent -> spawns(agent, middle)));
    String deep = spawn(helper, "[[say I am {{model}}]]") + " [[then]] [[say {{result}}]]";

    List<EventStream.Event> events =
        client
            .chat(
                scene.schema(),
                spawn(middle, deep) + " [[then]] [[say {{result}}]]",
                withName("large"))
            .readAll();

    assertThat(Scene.of(events, "message").content()).isEqualTo("I am large");
    assertThat(keysUsed()).hasSize(5).containsOnly("Bearer " + KEY);
  }

  @Test
  void an_agent_on_a_local_runtime_takes_a_model_of_that_runtime() {
    try (FakeServer runtime =
        FakeServer.saying(
            "application/x-ndjson",
            """
            {"model":"m","message":{"role":"assistant","content":"Hello"},"done":false}
            {"model":"m","message":{"role":"assistant","content":""},"done":true,"done_reason":"stop"}
            """)) {
      Scene scene = sceneOn("ollama", runtime.url());
      Map<String, String> headers =
          Map.of(
              "X-Model-Provider", "ollama", "X-Model-API-Key", KEY, "X-Model-Name", "other-llama");

      List<EventStream.Event> events = client.chat(scene.schema(), "Hi", headers).readAll();

      assertThat(Scene.of(events, "message").content()).isEqualTo("Hello");
      assertThat(Json.parse(runtime.requests().getFirst().body()).path("model").textValue())
          .isEqualTo("other-llama");
    }
  }

  @Test
  void a_provider_that_repeats_the_key_does_not_make_the_error_show_it() {
    try (FakeServer provider =
        FakeServer.start(
            (request, out) ->
                FakeServer.write(
                    out,
                    "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\n"
                        + "Connection: close\r\n\r\n{\"error\":{\"message\":\"bad: "
                        + authorization(request)
                        + "\"}}"))) {
      Scene scene = sceneOn("openai_compatible", provider.url());

      Answer whole = chat(scene.schema(), "Hi", OWN_KEY);
      EventStream stream = client.chat(scene.schema(), "Hi", OWN_KEY);
      EventStream.Event last = stream.readAll().getLast();

      assertThat(provider.requests()).extracting(OverriddenTurnTest::authorization).contains(KEY);
      assertThat(whole.error(502)).isEqualTo("model_error");
      assertThat(whole.text()).contains("bad", "***").doesNotContain(KEY);
      assertThat(last.data().toString()).contains("bad", "***").doesNotContain(KEY);
    }
  }

  @Test
  void metrics_show_the_agents_own_model() {
    ask("[[say Hi]]", withName("made-up-by-a-client")).expect(200);

    String metrics = client.get("/metrics").text();
    assertThat(metrics).contains("model=\"sim\"").doesNotContain("made-up-by-a-client");
  }

  @Test
  void a_request_sent_again_with_another_key_is_still_the_same_request() {
    Map<String, String> first = new HashMap<>(OWN_KEY);
    first.put("Idempotency-Key", "once");
    Map<String, String> again = new HashMap<>(first);
    again.put("X-Model-API-Key", "another-key");

    JsonNode answer = ask("[[say {{step}}]]", first).expect(200);

    assertThat(ask("[[say {{step}}]]", again).expect(200)).isEqualTo(answer);
    assertThat(ask("[[say {{step}}]]", Map.of("Idempotency-Key", "once")).expect(200))
        .isEqualTo(answer);
    assertThat(keysUsed()).containsExactly("Bearer " + KEY);
  }

  @Test
  void after_a_stop_that_leaves_it_open_it_ends_with_an_error() {
    EventStream stream = client.chat("help", "[[chunk Begun]] [[stall]]", OWN_KEY);
    stream.await("message_delta");

    restart();

    EventStream.Event end = client.attach(stream.sessionId(), null).readAll().getLast();
    assertThat(end.name()).isEqualTo("error");
    assertThat(end.data().path("code").textValue()).isEqualTo("model_error");
    assertThat(end.data().path("message").textValue()).contains("key", "send the message again");
    assertThat(client.chat("help", "[[say Next]]", stream.sessionId()).readAll().getLast().name())
        .isEqualTo("done");
    assertThat(keysUsed()).containsExactly("Bearer " + KEY, "Bearer key-of-the-model");
  }

  @Test
  void one_that_was_cancelled_before_the_stop_ends_as_cancelled() {
    EventStream stream = client.chat("help", "[[chunk Begun]] [[stall]]", OWN_KEY);
    stream.await("message_delta");
    // The request of a client on another node, which this one has not seen when it stops.
    Jdbi.create(engine.database().jdbcUrl())
        .useHandle(
            handle ->
                handle.execute(
                    "UPDATE turn SET cancelled_at = 1 WHERE session_id = ?", stream.sessionId()));

    restart();

    EventStream.Event end = client.attach(stream.sessionId(), null).readAll().getLast();
    assertThat(end.data().path("code").textValue()).isEqualTo("cancelled");
  }

  private void restart() {
    engine.restart();
    client = engine.admin();
  }

  private Scene sceneOn(String type, String baseUrl) {
    String model = TestEngine.freshName();
    client
        .post(
            "/api/v1/models",
            Json.object()
                .put("name", model)
                .put("type", type)
                .put("base_url", baseUrl)
                .put("model_name", "own")
                .put("api_key", "key-of-the-model"))
        .expect(201);
    Scene scene = new Scene(client);
    return scene.open(scene.agent(agent -> agent.put("model", model)));
  }

  private static void spawns(ObjectNode agent, String subAgent) {
    agent.set("can_spawn", Json.array(List.of(subAgent)));
  }

  private static String spawn(String agent, String task) {
    return "[[tool spawn_" + agent + " " + Json.write(Json.object().put("task", task)) + "]] ";
  }

  private static Map<String, String> withName(String name) {
    Map<String, String> headers = new HashMap<>(OWN_KEY);
    headers.put("X-Model-Name", name);
    return headers;
  }

  private Answer ask(String message, Map<String, String> headers) {
    return chat("help", message, headers);
  }

  private Answer chat(String schema, String message, Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("Content-Type", "application/json");
    return client.send(
        "POST",
        "/api/v1/schemas/" + schema + "/chat",
        Json.writeBytes(Json.object().put("message", message).put("stream", false)),
        all);
  }

  private List<String> keysUsed() {
    return engine.simulator().requests().stream()
        .map((Received request) -> request.header("Authorization"))
        .toList();
  }

  /** The key in the request's header. */
  private static String authorization(FakeServer.Request request) {
    return request
        .head()
        .lines()
        .filter(line -> line.regionMatches(true, 0, "Authorization:", 0, 14))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse("nothing");
  }
}
