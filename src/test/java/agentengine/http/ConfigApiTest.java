package agentengine.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ConfigApiTest {
  private static final String RELOAD = "/api/v1/config/reload";
  private static final String EXPORT = "/api/v1/config/export";
  private static final String IMPORT = "/api/v1/config/import";

  private static final Map<TestDatabases.Kind, TestEngine> ENGINES = new ConcurrentHashMap<>();

  private static final Map<TestDatabases.Kind, String> ORIGINALS = new ConcurrentHashMap<>();

  private final TestDatabases.Kind kind;
  private final TestEngine engine;
  private final Path file;
  private final String original;
  private ApiClient client;

  ConfigApiTest(TestDatabases.Kind kind) {
    this.kind = kind;
    engine = ENGINES.computeIfAbsent(kind, TestEngine::start);
    client = engine.admin();
    file = engine.database().dataDirectory().resolve("engine.yaml");
    original = ORIGINALS.computeIfAbsent(kind, _ -> read(file));
  }

  @AfterAll
  static void stop() {
    ENGINES.values().forEach(TestEngine::close);
    ENGINES.clear();
  }

  @BeforeEach
  void asAtTheStart() throws IOException {
    client = engine.admin();
    for (JsonNode agent : client.get("/api/v1/agents").expect(200)) {
      if (!agent.path("name").textValue().equals("helper")) {
        client.delete("/api/v1/agents/" + agent.path("name").textValue()).expect(204);
      }
    }
    Files.writeString(file, original);
    client.post(RELOAD, null).expect(200);
  }

  @Test
  void a_reload_applies_what_the_file_says_and_reports_what_it_does_not_mention()
      throws IOException {
    client.put("/api/v1/agents/helper", json("{'system': 'Changed.', 'max_steps': 9}")).expect(200);
    client.post("/api/v1/agents", json("{'name': 'mine', 'model': 'sim'}")).expect(201);
    client.put("/api/v1/settings", json("{'limits': {'stall': '7s'}}")).expect(200);
    Files.writeString(
        file,
        """
        version: 1
        models:
          other: {type: ollama, model_name: m}
        agents:
          helper: {model: sim, system: Reloaded.}
          second: {model: other}
        """);

    JsonNode answer = client.withScopes("config").post(RELOAD, null).expect(200);

    assertThat(answer)
        .isEqualTo(
            json(
                """
                {'status': 'ok', 'agents_loaded': 2, 'models_loaded': 1, 'left_alone': [
                 {'kind': 'model', 'name': 'sim'}, {'kind': 'tool', 'name': 'lookup'},
                 {'kind': 'agent', 'name': 'mine'}, {'kind': 'schema', 'name': 'help'},
                 {'kind': 'settings', 'name': 'limits'},
                  {'kind': 'settings', 'name': 'rate_limit'}]}
                """));
    JsonNode helper = client.get("/api/v1/agents/helper").expect(200);
    assertThat(helper.path("system").textValue()).isEqualTo("Reloaded.");
    assertThat(helper.path("max_steps").intValue()).isEqualTo(50);
    assertThat(client.get("/api/v1/agents/mine").status()).isEqualTo(200);
    assertThat(lastEvent("config.reloaded").path("details"))
        .isEqualTo(json("{'model': 1, 'agent': 2}"));
    client.put("/api/v1/settings", json("{'limits': null}")).expect(200);
    client.delete("/api/v1/agents/second").expect(204);
    client.delete("/api/v1/models/other").expect(204);
  }

  @Test
  void a_reload_takes_back_what_was_changed_through_the_api_even_if_the_file_is_the_same() {
    client.put("/api/v1/agents/helper", json("{'system': 'Changed.'}")).expect(200);

    client.post(RELOAD, null).expect(200);

    assertThat(client.get("/api/v1/agents/helper").expect(200).path("system").textValue())
        .isEqualTo("You help.");
  }

  @Test
  void a_file_that_cannot_be_read_or_has_mistakes_changes_nothing() throws IOException {
    Files.delete(file);
    JsonNode missing = client.post(RELOAD, null).expect(400);
    assertThat(missing.path("error").textValue()).isEqualTo("invalid_request");
    assertThat(missing.at("/details/0/field").textValue()).isEqualTo("ENGINE_CONFIG");
    assertThat(missing.at("/details/0/message").textValue()).contains("no such file");

    Files.createDirectory(file);
    assertThat(client.post(RELOAD, null).error(400)).isEqualTo("invalid_request");
    Files.delete(file);

    Files.writeString(
        file, "version: 1\nagents:\n  helper: {model: nowhere}\n  new: {model: sim, steps: 1}\n");
    JsonNode wrong = client.post(RELOAD, null).expect(400);
    assertThat(wrong.path("details"))
        .extracting(detail -> detail.path("field").textValue())
        .containsExactly("agents.helper.model", "agents.new.steps");
    assertThat(wrong.at("/details/0/message").textValue())
        .isEqualTo("line 3, column 12: model 'nowhere' does not exist");

    Files.write(file, new byte[] {'v', ':', '\n', ' ', (byte) 0xff});
    assertThat(client.post(RELOAD, null).expect(400).at("/details/0/message").textValue())
        .isEqualTo("line 2, column 2: not valid UTF-8");
    assertThat(client.get("/api/v1/agents/new").status()).isEqualTo(404);
    assertThat(client.get("/api/v1/agents/helper").expect(200).path("model").textValue())
        .isEqualTo("sim");
  }

  @Test
  void an_export_is_a_document_without_secrets_that_fills_an_empty_engine_the_same() {
    merge(
        """
        version: 1
        models:
          keyed: {type: ollama, model_name: m, api_key: '${HOME}'}
        """);
    Answer export = client.withScopes("config").get(EXPORT);

    assertThat(export.status()).isEqualTo(200);
    assertThat(export.header("Content-Type")).isEqualTo("application/x-yaml");
    assertThat(export.text())
        .startsWith("version: 1\nmodels:\n  keyed:\n    type: ollama\n")
        .contains("    api_key: ${HOME}\n")
        .doesNotContain("key-of-the-model");
    try (TestEngine other =
        TestEngine.start(
            kind,
            options -> {
              Path empty = Path.of(options.get(Variable.CONFIG));
              write(empty, "version: 1\n");
            })) {
      ApiClient target = other.admin();
      assertThat(target.get(EXPORT).text()).isEqualTo("version: 1\n");
      send(target, IMPORT, export.body()).expect(200);

      assertThat(target.get(EXPORT).text()).isEqualTo(export.text());
      assertThat(target.get("/api/v1/models/keyed").expect(200).path("has_api_key").booleanValue())
          .isTrue();
      assertThat(target.get("/api/v1/models/sim").expect(200).path("has_api_key").booleanValue())
          .isFalse();
      other.restart();
      assertThat(other.admin().get(EXPORT).text()).isEqualTo(export.text());
    }
    client.delete("/api/v1/models/keyed").expect(204);
  }

  @Test
  void an_import_merges_and_keeps_the_secrets_that_it_leaves_out() {
    JsonNode answer =
        merge(
            """
            version: 1
            models:
              sim: {type: openai_compatible, base_url: 'http://a.example', model_name: new}
            tools:
              lookup: {url: 'http://127.0.0.1:1/other'}
            agents:
              one: {model: sim}
              two: {model: sim, can_spawn: [one]}
            """);

    assertThat(answer)
        .isEqualTo(
            json(
                """
                {'status': 'ok', 'agents_imported': 2, 'models_imported': 1, 'tools_imported': 1}
                """));
    JsonNode model = client.get("/api/v1/models/sim").expect(200);
    assertThat(model.path("model_name").textValue()).isEqualTo("new");
    assertThat(model.path("has_api_key").booleanValue()).isTrue();
    assertThat(client.get("/api/v1/agents/helper").status()).isEqualTo(200);
    assertThat(client.get("/api/v1/agents/two").expect(200).at("/can_spawn/0").textValue())
        .isEqualTo("one");
    assertThat(lastEvent("config.imported").path("details"))
        .isEqualTo(json("{'model': 1, 'tool': 1, 'agent': 2}"));
    client.delete("/api/v1/agents/two").expect(204);
  }

  @Test
  void a_dry_run_tells_what_would_be_and_changes_nothing() {
    String document =
        """
        version: 1
        models:
          sim: {type: openai_compatible, base_url: 'http://a.example', model_name: new}
        tools:
          lookup: {url: 'http://127.0.0.1:1/lookup'}
        agents:
          helper: {model: sim, system: You help.}
          new: {model: sim}
        schemas:
          help: {entry_agent: new, chat_enabled: true}
        settings:
          limits: {stall: 1m}
          rate_limit: {requests: 7}
        """;
    String before = client.get(EXPORT).text();
    int events = client.get("/api/v1/audit/events").expect(200).path("total").intValue();

    JsonNode answer = send(client, IMPORT + "?dry_run=true", document.getBytes(UTF_8)).expect(200);

    assertThat(answer)
        .isEqualTo(
            json(
                """
                {'status': 'dry_run', 'agents_imported': 2, 'models_imported': 1,
                 'tools_imported': 1, 'changes': [
                 {'kind': 'model', 'name': 'sim', 'action': 'update'},
                 {'kind': 'tool', 'name': 'lookup', 'action': 'unchanged'},
                 {'kind': 'agent', 'name': 'helper', 'action': 'unchanged'},
                 {'kind': 'agent', 'name': 'new', 'action': 'create'},
                 {'kind': 'schema', 'name': 'help', 'action': 'update'},
                 {'kind': 'settings', 'name': 'limits', 'action': 'unchanged'},
                 {'kind': 'settings', 'name': 'rate_limit', 'action': 'update'}]}
                """));
    assertThat(client.get(EXPORT).text()).isEqualTo(before);
    assertThat(client.get("/api/v1/audit/events").expect(200).path("total").intValue())
        .isEqualTo(events);
    byte[] wrong = "version: 1\nagents: {x: {}}\n".getBytes(UTF_8);
    assertThat(send(client, IMPORT + "?dry_run=true", wrong).error(400))
        .isEqualTo("invalid_request");
    assertThat(send(client, IMPORT + "?dry_run=false", wrong).status()).isEqualTo(400);
    assertThat(
            send(client, IMPORT + "?dry_run=yes", document.getBytes(UTF_8))
                .expect(400)
                .at("/details/0/field")
                .textValue())
        .isEqualTo("dry_run");
    assertThat(client.get(EXPORT).text()).isEqualTo(before);
  }

  @Test
  void what_is_imported_a_second_time_is_unchanged_and_leaves_no_trace_of_changes() {
    byte[] document = client.get(EXPORT).body();
    JsonNode changes = send(client, IMPORT + "?dry_run=true", document).expect(200).path("changes");
    assertThat(changes)
        .isNotEmpty()
        .allSatisfy(change -> assertThat(change.path("action").textValue()).isEqualTo("unchanged"));
    String updated = client.get("/api/v1/tools/lookup").expect(200).path("updated_at").textValue();

    send(client, IMPORT, document).expect(200);

    assertThat(client.get("/api/v1/tools/lookup").expect(200).path("updated_at").textValue())
        .isEqualTo(updated);
  }

  @Test
  void a_running_turn_keeps_the_agent_it_started_with() {
    try (EventStream stream =
        client.chat(
            "help",
            "[[chunk one]] [[delay 1s]] [[tool current_time]] [[then]] [[say {{system}}]]")) {
      stream.await("message_delta");
      merge("version: 1\nagents: {helper: {model: sim, system: You hinder.}}\n");

      assertThat(stream.readAll())
          .filteredOn(event -> event.name().equals("message"))
          .last()
          .satisfies(event -> assertThat(event.content()).isEqualTo("You help."));
    }
    try (EventStream stream = client.chat("help", "[[say {{system}}]]")) {
      assertThat(stream.await("message").content()).isEqualTo("You hinder.");
    }
  }

  @Test
  void editors_get_the_schema_of_the_document_without_a_token() {
    Answer answer = engine.anonymous().get("/api/v1/config/schema");

    assertThat(answer.header("Content-Type")).isEqualTo("application/schema+json");
    assertThat(answer.expect(200).path("$schema").textValue()).contains("2020-12");
  }

  @Test
  void yaml_has_three_names_and_json_is_none_of_them() {
    byte[] document = "version: 1\n".getBytes(UTF_8);
    for (String type :
        List.of("application/x-yaml", "text/yaml", "Application/YAML; charset=utf-8")) {
      client.send("POST", IMPORT, document, Map.of("Content-Type", type)).expect(200);
    }
    for (String type : List.of("application/json", "text/plain", "text/yaml; charset=latin1")) {
      assertThat(client.send("POST", IMPORT, document, Map.of("Content-Type", type)).error(415))
          .isEqualTo("unsupported_media_type");
    }
  }

  private JsonNode merge(String document) {
    return send(client, IMPORT, document.getBytes(UTF_8)).expect(200);
  }

  private static Answer send(ApiClient client, String path, byte[] document) {
    return client.send("POST", path, document, Map.of("Content-Type", "application/x-yaml"));
  }

  private JsonNode lastEvent(String action) {
    for (JsonNode event : client.get("/api/v1/audit/events").expect(200).path("data")) {
      if (event.path("action").textValue().equals(action)) {
        return event;
      }
    }
    throw new AssertionError("no event " + action);
  }

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
