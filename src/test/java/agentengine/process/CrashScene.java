package agentengine.process;

import agentengine.config.Variable;
import agentengine.simulator.Received;
import agentengine.simulator.Simulator;
import agentengine.testing.TestDatabases;
import agentengine.testing.process.EngineClient;
import agentengine.testing.process.EngineProcess;
import agentengine.testing.process.ToolServer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An engine with tools of every effect, gates and a sub-agent; many turns are brought into their
 * phase, one kill ends them all, and one restart must take up each of them.
 */
final class CrashScene implements AutoCloseable {
  private static final String PARAMETERS =
      "{type: object, required: [marker],"
          + " properties: {marker: {type: string}, wait: {type: string}}}";

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final TestDatabases.Fresh database;
  private final Simulator simulator = Simulator.start(0);
  private final ToolServer tools = ToolServer.start();
  private final EngineProcess.Launch launch;
  private final Map<String, Story> stories = new LinkedHashMap<>();
  private EngineProcess engine;
  private EngineClient client;

  CrashScene(TestDatabases.Kind kind) {
    database = TestDatabases.fresh(kind);
    EngineProcess.Launch plain =
        EngineProcess.Launch.in(database.dataDirectory()).withConfiguration(configuration());
    launch =
        database instanceof TestDatabases.Postgres postgres
            ? plain.with(Variable.DATABASE_URL, postgres.url())
            : plain;
    engine = launch.start();
    client = engine.client();
  }

  private String configuration() {
    return """
    version: 1
    models:
      sim: {type: openai_compatible, base_url: "%s", model_name: scripted, api_key: key}
    tools:
      charge: {description: Charges., method: POST, url: "%s/charge/{marker}", parameters: %s, effect: unsafe}
      store: {description: Stores., method: POST, url: "%s/store/{marker}", parameters: %s, effect: idempotent}
      look: {description: Looks., method: GET, url: "%s/look/{marker}", parameters: %s, effect: read_only}
      wire: {description: Wires., method: POST, url: "%s/wire/{marker}", parameters: %s, effect: unsafe, confirm_before: true}
    agents:
      clerk: {model: sim, system: You are a clerk., tools: [charge, store, look, wire]}
      boss: {model: sim, system: You are the boss., tools: [charge, store, look, wire], can_spawn: [clerk]}
    schemas:
      office: {entry_agent: boss, agents: [boss, clerk], chat_enabled: true}
    settings:
      model_override: {enabled: true, providers: [openai_compatible]}
    """
        .formatted(
            simulator.baseUrl(),
            tools.baseUrl(),
            PARAMETERS,
            tools.baseUrl(),
            PARAMETERS,
            tools.baseUrl(),
            PARAMETERS,
            tools.baseUrl(),
            PARAMETERS);
  }

  /** The call of a tool, as a cue; the marker tells it from every other call. */
  static String call(String tool, String marker) {
    return "[[tool %s {\"marker\":\"%s\"}]]".formatted(tool, marker);
  }

  /** The same, but the tool keeps the first request until it is released. */
  static String heldCall(String tool, String marker) {
    return "[[tool %s {\"marker\":\"%s\",\"wait\":\"hold\"}]]".formatted(tool, marker);
  }

  /** A sub-agent that follows this script; the boss then says what came of it. */
  static String delegate(String script) {
    return "[[tool spawn_clerk {\"task\":\""
        + script.replace("\\", "\\\\").replace("\"", "\\\"")
        + "\"}]] [[then]] [[say The clerk says: {{result}}]]";
  }

  /** Begins a turn, and remembers it under this name. */
  Story begin(String name, String script) {
    Story story = new Story(client.chat("office", script));
    stories.put(name, story);
    return story;
  }

  /** The same for a turn whose request brings its key. */
  Story beginWithKey(String name, String script, String key) {
    Map<String, String> headers =
        Map.of("X-Model-Provider", "openai_compatible", "X-Model-API-Key", key);
    Story story = new Story(client.chat("office", script, headers));
    stories.put(name, story);
    return story;
  }

  Story story(String name) {
    Story story = stories.get(name);
    if (story == null) {
      throw new AssertionError("no story " + name);
    }
    return story;
  }

  void killAndRestart() {
    engine.kill();
    engine = launch.start();
    client = engine.client();
  }

  /** Waits until the model is asked to follow this script itself, not to hand it on. */
  void awaitModelCall(String script) {
    Received _ =
        simulator.awaitRequest(
            request ->
                request.body().path("messages").findValuesAsText("content").stream()
                    .anyMatch(text -> text.contains(script) && !text.contains("spawn_")),
            PATIENCE);
  }

  /** The requests in which the model was asked to follow a script with this text. */
  List<Received> modelCalls(String text) {
    return simulator.requests().stream()
        .filter(request -> request.body().toString().contains(text))
        .toList();
  }

  EngineClient client() {
    return client;
  }

  List<ToolServer.Request> requests(String marker) {
    return tools.requests(marker);
  }

  ToolServer tools() {
    return tools;
  }

  @Override
  public void close() {
    engine.close();
    simulator.close();
    tools.close();
    database.close();
  }
}
