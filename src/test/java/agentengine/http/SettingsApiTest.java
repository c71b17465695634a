package agentengine.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Settings;
import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class SettingsApiTest {
  private static final String SETTINGS = "/api/v1/settings";

  private static final Map<TestDatabases.Kind, TestEngine> ENGINES = new ConcurrentHashMap<>();

  private final TestEngine engine;
  private ApiClient client;

  SettingsApiTest(TestDatabases.Kind kind) {
    engine = ENGINES.computeIfAbsent(kind, TestEngine::start);
    client = engine.admin();
  }

  @AfterAll
  static void stop() {
    ENGINES.values().forEach(TestEngine::close);
    ENGINES.clear();
  }

  @AfterEach
  void asAtTheStart() {
    client
        .put(SETTINGS, json("{'rate_limit': null, 'model_override': null, 'limits': null}"))
        .expect(200);
    assertThat(client.get(SETTINGS).expect(200)).isEqualTo(defaults());
  }

  private static JsonNode defaults() {
    return Json.parse(Json.write(Settings.DEFAULT.toJson()));
  }

  @Test
  void all_settings_are_shown_with_their_defaults() {
    assertThat(client.get(SETTINGS).expect(200))
        .isEqualTo(
            json(
                """
                {'rate_limit': {'requests': 60, 'window': '1m'},
                 'model_override': {'enabled': false, 'providers': []},
                 'limits': {'connect': '10s', 'first_token': '2m', 'stall': '1m', 'turn': '30m',
                  'concurrent_turns': 10000, 'concurrent_tasks': 10, 'tool': '1m', 'confirmation': '1d', 'spawn_depth': 5,
                  'tool_output': 65536}}
                """));
  }

  @Test
  void an_update_changes_what_it_has_and_null_means_the_default() {
    JsonNode changed =
        client
            .put(
                SETTINGS,
                json(
                    """
                    {'rate_limit': {'requests': 5}, 'limits': {'stall': '90s', 'spawn_depth': 2},
                     'model_override': {'enabled': true, 'providers': ['xai']}}
                    """))
            .expect(200);

    assertThat(changed.path("rate_limit")).isEqualTo(json("{'requests': 5, 'window': '1m'}"));
    assertThat(changed.at("/limits/stall").textValue()).isEqualTo("1m30s");
    assertThat(changed.at("/limits/turn").textValue()).isEqualTo("30m");
    assertThat(client.get(SETTINGS).expect(200)).isEqualTo(changed);

    JsonNode again =
        client
            .put(SETTINGS, json("{'limits': {'stall': null}, 'model_override': {'enabled': null}}"))
            .expect(200);

    assertThat(again.at("/limits/stall").textValue()).isEqualTo("1m");
    assertThat(again.at("/limits/spawn_depth").intValue()).isEqualTo(2);
    assertThat(again.path("model_override"))
        .isEqualTo(json("{'enabled': false, 'providers': ['xai']}"));
    assertThat(client.put(SETTINGS, Json.object()).expect(200)).isEqualTo(again);
    JsonNode event = client.get("/api/v1/audit/events?per_page=2").expect(200).path("data").path(1);
    assertThat(event.path("action").textValue()).isEqualTo("settings.updated");
    assertThat(event.path("details").at("/limits").has("stall")).isTrue();
  }

  @Test
  void they_survive_a_restart_and_are_in_force_at_once() {
    client.put(SETTINGS, json("{'limits': {'stall': '200ms'}}")).expect(200);

    try (EventStream stream = client.chat("help", "[[chunk a]] [[stall]]")) {
      assertThat(stream.await("error").data().path("code").textValue()).isEqualTo("model_timeout");
    }
    engine.restart();
    client = engine.admin();
    assertThat(client.get(SETTINGS).expect(200).at("/limits/stall").textValue()).isEqualTo("200ms");
  }

  @Test
  void all_that_is_wrong_is_named_and_nothing_changed() {
    JsonNode answer =
        client
            .put(
                SETTINGS,
                json(
                    """
                    {'rate_limit': {'requests': 0, 'window': '0s', 'per': 1},
                     'model_override': {'enabled': 'yes', 'providers': ['nobody']},
                     'limits': {'turn': -5, 'stall': 'soon', 'tool_output': 1.5}, 'colour': 1}
                    """))
            .expect(400);

    assertThat(answer.path("details").findValuesAsText("field"))
        .containsExactlyInAnyOrder(
            "rate_limit.requests",
            "rate_limit.window",
            "rate_limit.per",
            "model_override.enabled",
            "model_override.providers",
            "limits.turn",
            "limits.stall",
            "limits.tool_output",
            "colour");
    for (String body :
        new String[] {
          "{'rate_limit': 5}", "{'limits': []}", "{'limits': {'turn': {}}}", "[]", "null"
        }) {
      assertThat(client.put(SETTINGS, json(body)).error(400)).isEqualTo("invalid_request");
    }
    assertThat(client.get(SETTINGS).expect(200)).isEqualTo(defaults());
  }

  @Test
  void a_document_replaces_the_groups_that_it_has() {
    client.put(SETTINGS, json("{'rate_limit': {'requests': 5, 'window': '2m'}}")).expect(200);

    client
        .send(
            "POST",
            "/api/v1/config/import",
            "version: 1\nsettings: {limits: {stall: 5s}}\n".getBytes(UTF_8),
            Map.of("Content-Type", "application/x-yaml"))
        .expect(200);

    JsonNode settings = client.get(SETTINGS).expect(200);
    assertThat(settings.at("/limits/stall").textValue()).isEqualTo("5s");
    assertThat(settings.at("/rate_limit/window").textValue()).isEqualTo("2m");
  }

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }
}
