package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.json.Json;
import agentengine.testing.FakeServer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A running engine of each kind for the whole suite, with a model and tools that do as told. */
final class World {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Pattern BASE_URL = Pattern.compile("base_url: (\\S+)");
  private static final Map<TestDatabases.Kind, World> WORLDS = new ConcurrentHashMap<>();

  /** Agent worker has every tool; chat is on for its schema, and off for the schema closed. */
  private static final String CONFIGURATION =
      """
      version: 1
      models:
        sim: {type: openai_compatible, base_url: MODEL, model_name: scripted, api_key: model-key}
      tools:
        weather:
          description: Says what the weather is like.
          url: TOOLS/weather
          effect: read_only
          parameters: {type: object, properties: {city: {type: string}}, required: [city]}
        broken: {url: TOOLS/broken}
        guarded: {url: TOOLS/guarded, confirm_before: true}
      agents:
        helper: {model: sim}
        worker:
          model: sim
          tools: [weather, broken, guarded, current_time, show_structured_output]
          can_spawn: [helper]
        hasty: {model: sim, tools: [current_time], max_steps: 1}
      schemas:
        help: {entry_agent: helper, chat_enabled: true}
        work: {entry_agent: worker, chat_enabled: true}
        haste: {entry_agent: hasty, chat_enabled: true}
        closed: {entry_agent: helper}
      settings:
        rate_limit: {requests: 1000000, window: 1m}
        limits: {concurrent_tasks: 2}
      """;

  private final TestEngine engine;
  private final FakeServer tools;
  private final Http admin;

  private World(TestDatabases.Kind kind) {
    tools = FakeServer.start(World::answer);
    engine = TestEngine.start(kind, options -> configure(options, CONFIGURATION));
    Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
    admin = session(anonymous());
  }

  static World on(TestDatabases.Kind kind) {
    return WORLDS.computeIfAbsent(kind, World::new);
  }

  /** Puts another document in the place of an engine's, with the addresses it needs. */
  private void configure(Map<Variable, String> options, String document) {
    write(options, document.replace("TOOLS", tools.url()));
  }

  static void write(Map<Variable, String> options, String document) {
    Path file = Path.of(options.getOrDefault(Variable.CONFIG, ""));
    try {
      Matcher model = BASE_URL.matcher(Files.readString(file));
      assertThat(model.find()).isTrue();
      Files.writeString(file, document.replace("MODEL", model.group(1)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void answer(FakeServer.Request request, OutputStream out) throws IOException {
    FakeServer.write(
        out,
        request.head().contains("/broken")
            ? "HTTP/1.1 500 Oh\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nout of order"
            : FakeServer.ok("application/json") + "{\"sky\": \"blue\"}");
  }

  static Http session(Http nobody) {
    return nobody.as(nobody.post("/auth/local-session").json(200).path("access_token").textValue());
  }

  Http anonymous() {
    return new Http(engine.port(), "");
  }

  Http admin() {
    return admin;
  }

  /** How often a tool was called, as the tool itself has seen it. */
  long callsOf(String tool) {
    return tools.requests().stream().filter(call -> call.head().contains("/" + tool)).count();
  }

  /** What a model record needs to reach the scripted model. */
  String modelUrl() {
    return engine.simulator().baseUrl();
  }

  static String fresh() {
    return TestEngine.freshName();
  }

  /** The id of a new task, whose title is its script. */
  String task(String agent, String title) {
    ObjectNode body = Json.object().put("agent", agent).put("title", title);
    return admin.post("/tasks", Json.write(body)).json(201).path("id").textValue();
  }

  JsonNode awaitTask(String id, String status) {
    return await("/tasks/" + id, status);
  }

  JsonNode awaitSession(String id, String status) {
    return await("/sessions/" + id, status);
  }

  private JsonNode await(String path, String status) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    JsonNode now = admin.get(path).json(200);
    while (!now.path("status").asText().equals(status)) {
      assertThat(System.nanoTime()).as("waiting for %s, but %s", status, now).isLessThan(deadline);
      try {
        Thread.sleep(10);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      now = admin.get(path).json(200);
    }
    return now;
  }

  /** Approves or rejects what a session waits for. */
  Reply respond(String sessionId, String callId, String answer) {
    ObjectNode body = Json.object().put("call_id", callId);
    body.putArray("answers").add(answer);
    return admin.post("/sessions/" + sessionId + "/respond", Json.write(body));
  }
}
