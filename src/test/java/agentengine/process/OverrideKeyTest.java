package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.json.Json;
import agentengine.simulator.Simulator;
import agentengine.testing.FakeServer;
import agentengine.testing.TestDatabases;
import agentengine.testing.process.EngineHttp;
import agentengine.testing.process.EngineProcess;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jdbi.v3.core.Jdbi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A key that comes with a request goes to its provider, and nowhere else. */
@ParameterizedClass
@EnumSource
class OverrideKeyTest {
  private static final String KEY = "sesame-key-of-the-caller";

  private final TestDatabases.Fresh database;
  private final Simulator simulator = Simulator.start(0);

  /** A provider that tells everybody which key it was sent. */
  private final FakeServer gossip =
      FakeServer.start(
          (request, out) ->
              FakeServer.write(
                  out, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n" + request.head()));

  private final List<String> seen = new ArrayList<>();

  OverrideKeyTest(TestDatabases.Kind kind) {
    database = TestDatabases.fresh(kind);
  }

  @AfterEach
  void close() {
    gossip.close();
    simulator.close();
    database.close();
  }

  @Test
  void the_key_is_in_no_answer_no_log_and_no_store() throws IOException {
    EngineProcess.Launch launch = launch();
    String open;
    EngineProcess.End killed;
    try (EngineProcess engine = launch.start()) {
      EngineHttp http = EngineHttp.signIn(engine.port());
      lookEverywhere(http, useTheKeyInEveryWay(http));
      open = chat(http, "help", "[[tool look_up {}]]", KEY); // waits at its gate
      lookIntoTheStore();
      killed = engine.kill();
    }
    EngineProcess.End ended;
    try (EngineProcess engine = launch.start()) {
      lookEverywhere(EngineHttp.signIn(engine.port()), open);
      ended = engine.terminate();
    }
    lookIntoTheStore();
    Stream.of(killed.out(), killed.err(), ended.out(), ended.err()).forEach(seen::addAll);

    assertThat(simulator.requests())
        .extracting(request -> request.header("Authorization"))
        .contains("Bearer " + KEY);
    assertThat(gossip.requests()).anySatisfy(r -> assertThat(r.head()).contains(KEY));
    assertThat(String.join("\n", seen))
        .as("what was looked at has the words of the turns and the provider's failure in it")
        .contains(
            "I did it", "taking up turn", "send the message again", "\"status\":\"failed\"", "***");
    assertThat(seen).noneMatch(text -> text.contains(KEY));
  }

  /** Tools, a sub-agent, failures of every kind; the session of the first turn. */
  private String useTheKeyInEveryWay(EngineHttp http) throws IOException {
    String session = chat(http, "help", "[[tool current_time {}]] [[then]] [[say I did it]]", KEY);
    chat(
        http,
        "help",
        "[[tool spawn_clerk {\"task\":\"[[say Me too]]\"}]] [[then]] [[say Ok]]",
        KEY);
    chat(http, "help", "[[tool nothing {}]] [[then]] [[error 401 no]]", KEY);
    chat(http, "help", "[[line data: nonsense]]", KEY);
    chat(http, "gossips", "Tell me", KEY);
    chat(http, "help", "A key that is refused", KEY + " " + KEY);
    chat(http, "nowhere", "No such schema", KEY);
    return session;
  }

  private String chat(EngineHttp http, String schema, String message, String key)
      throws IOException {
    Map<String, String> headers = new HashMap<>();
    headers.put("X-Model-Provider", "openai_compatible");
    headers.put("X-Model-API-Key", key);
    headers.put("X-Model-Name", "large");
    ObjectNode body = Json.object().put("message", message).put("stream", false);
    try (EngineHttp.Response response =
        http.send("POST", "/schemas/" + schema + "/chat", body, headers)) {
      seen.add(response.text());
      return response.sessionId() == null ? "" : response.sessionId();
    }
  }

  /** The session first, whose stream ends only with its turn. */
  private void lookEverywhere(EngineHttp http, String session) throws IOException {
    for (String path :
        List.of(
            "/sessions/" + session + "/stream",
            "/sessions/" + session,
            "/sessions",
            "/audit/tool-calls",
            "/audit/events",
            "/models",
            "/config/export")) {
      try (EngineHttp.Response response = http.get(path)) {
        assertThat(response.status()).as(path).isEqualTo(200);
        seen.add(response.text());
      }
    }
  }

  /** All bytes of the data directory, and every row of every table where that is elsewhere. */
  private void lookIntoTheStore() throws IOException {
    try (Stream<Path> files = Files.walk(database.dataDirectory())) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        seen.add(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
      }
    }
    if (database instanceof TestDatabases.Postgres) {
      Jdbi.create(database.jdbcUrl())
          .useHandle(
              handle ->
                  handle
                      .createQuery("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
                      .mapTo(String.class)
                      .forEach(
                          table ->
                              seen.addAll(
                                  handle
                                      .createQuery("SELECT t::text FROM \"" + table + "\" t")
                                      .mapTo(String.class)
                                      .list())));
    }
  }

  private EngineProcess.Launch launch() {
    EngineProcess.Launch launch =
        EngineProcess.Launch.in(database.dataDirectory())
            .with(Variable.DATA_DIR, database.dataDirectory().toString())
            .withConfiguration(
                """
                version: 1
                models:
                  sim: {type: openai_compatible, base_url: "%s", model_name: scripted, api_key: stored-key}
                  gossip: {type: openai_compatible, base_url: "%s", model_name: talks, api_key: stored-key}
                tools:
                  look_up: {description: Looks., url: "%s/look", effect: read_only, confirm_before: true}
                agents:
                  clerk: {model: sim}
                  helper: {model: sim, tools: [current_time, look_up], can_spawn: [clerk]}
                  gossip: {model: gossip}
                schemas:
                  help: {entry_agent: helper, chat_enabled: true}
                  gossips: {entry_agent: gossip, chat_enabled: true}
                settings:
                  model_override: {enabled: true, providers: [openai_compatible]}
                """
                    .formatted(simulator.baseUrl(), gossip.url(), gossip.url()));
    return database instanceof TestDatabases.Postgres postgres
        ? launch.with(Variable.DATABASE_URL, postgres.url())
        : launch;
  }
}
