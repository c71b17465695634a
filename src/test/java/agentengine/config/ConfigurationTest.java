package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.AdminEvent;
import agentengine.json.Json;
import agentengine.limit.Limit;
import agentengine.model.ModelRecord;
import agentengine.model.ProviderKind;
import agentengine.secret.Secret;
import agentengine.testing.TestDatabases;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ConfigurationTest {
  private static final String DOCUMENT =
      """
      version: 1
      models:
        sim:
          type: openai_compatible
          base_url: http://localhost:1/v1
          model_name: scripted
          api_key: key-one
      agents:
        helper:
          model: sim
          system: You help.
          max_steps: 7
          temperature: 0.5
          can_spawn: [expert]
        expert:
          model: sim
      schemas:
        help:
          entry_agent: helper
          chat_enabled: true
      """;

  private final Definitions definitions;

  ConfigurationTest(TestDatabases.Kind kind) {
    definitions = new Definitions(kind);
  }

  @AfterAll
  static void close() {
    Definitions.closeAll();
  }

  @Test
  void a_document_defines_what_it_says_in_whatever_order() {
    assertThat(definitions.configuration.nothingIsDefined()).isTrue();

    assertThat(definitions.apply(DOCUMENT)).isTrue();

    ModelRecord model = definitions.models.get("sim");
    assertThat(model.kind()).isEqualTo(ProviderKind.OPENAI_COMPATIBLE);
    assertThat(model.baseUrl()).isEqualTo("http://localhost:1/v1");
    assertThat(model.apiKey()).isEqualTo(new Secret("key-one"));
    var helper = definitions.agents.get("helper").spec();
    assertThat(helper.system()).isEqualTo("You help.");
    assertThat(helper.maxSteps()).isEqualTo(7);
    assertThat(helper.sampling().temperature()).isEqualTo(0.5);
    assertThat(helper.uses().canSpawn()).containsExactly("expert");
    assertThat(definitions.schemas.get("help").spec().chatEnabled()).isTrue();
    assertThat(definitions.configuration.nothingIsDefined()).isFalse();
    assertThat(definitions.adminLog.list(1, 100).data())
        .extracting(AdminEvent::actor)
        .isNotEmpty()
        .containsOnly("tester");
  }

  @Test
  void the_same_document_is_not_applied_twice_so_that_changes_through_the_api_stay() {
    definitions.apply(DOCUMENT);
    definitions.agents.update("somebody", "helper", Json.object().put("max_steps", 99));

    assertThat(definitions.apply(DOCUMENT)).isFalse();
    assertThat(definitions.apply("# only a remark\n" + DOCUMENT)).isFalse();
    assertThat(definitions.agents.get("helper").spec().maxSteps()).isEqualTo(99);
  }

  @Test
  void a_changed_document_is_applied_and_wins_over_changes_through_the_api() {
    definitions.apply(DOCUMENT);
    definitions.agents.update("somebody", "helper", Json.object().put("max_steps", 99));

    assertThat(definitions.apply(DOCUMENT.replace("You help.", "You help well."))).isTrue();

    var helper = definitions.agents.get("helper").spec();
    assertThat(helper.system()).isEqualTo("You help well.");
    assertThat(helper.maxSteps()).isEqualTo(7);
  }

  @Test
  void an_entry_replaces_the_definition_of_its_name() {
    definitions.apply(DOCUMENT);

    definitions.apply(
        """
        version: 1
        agents:
          helper:
            model: sim
        """);

    var helper = definitions.agents.get("helper").spec();
    assertThat(helper.system()).isEmpty();
    assertThat(helper.maxSteps()).isEqualTo(50);
    assertThat(helper.uses().canSpawn()).isEmpty();
    assertThat(helper.sampling().temperature()).isNull();
  }

  @Test
  void names_that_a_document_does_not_mention_are_left_alone() {
    definitions.apply(DOCUMENT);
    definitions.agents.create("somebody", Json.object().put("name", "mine").put("model", "sim"));

    definitions.apply(
        """
        version: 1
        agents:
          expert:
            model: sim
            description: Knows it all.
        """);

    assertThat(definitions.agents.get("helper").spec().system()).isEqualTo("You help.");
    assertThat(definitions.agents.get("mine").spec().model()).isEqualTo("sim");
    assertThat(definitions.schemas.get("help").spec().entryAgent()).isEqualTo("helper");
  }

  @Test
  void a_key_that_is_not_given_stays_and_null_takes_it_away() {
    definitions.apply(DOCUMENT);

    definitions.apply(DOCUMENT.replace("    api_key: key-one\n", ""));
    assertThat(definitions.models.get("sim").apiKey()).isEqualTo(new Secret("key-one"));

    definitions.apply(DOCUMENT.replace("key-one", "key-two"));
    assertThat(definitions.models.get("sim").apiKey()).isEqualTo(new Secret("key-two"));

    definitions.apply(DOCUMENT.replace("key-one", "\"\""));
    assertThat(definitions.models.get("sim").apiKey()).isEqualTo(new Secret("key-two"));

    definitions.apply(DOCUMENT.replace("key-one", "null"));
    assertThat(definitions.models.get("sim").apiKey()).isNull();
  }

  @Test
  void a_value_may_come_from_the_environment_also_in_part_and_in_secrets() {
    definitions.environment.put("MODEL_KEY", "key-of-the-environment");
    definitions.environment.put("HOST", "10.0.0.1");
    definitions.environment.put("ODD", "$1 \\ ${HOST}");

    definitions.apply(
        DOCUMENT
            .replace("key-one", "${MODEL_KEY}")
            .replace("http://localhost:1/v1", "http://${HOST}:${PORT}/v1")
            .replace("${PORT}", "8000")
            .replace("You help.", "${ODD}"));

    assertThat(definitions.models.get("sim").apiKey())
        .isEqualTo(new Secret("key-of-the-environment"));
    assertThat(definitions.models.get("sim").baseUrl()).isEqualTo("http://10.0.0.1:8000/v1");
    assertThat(definitions.agents.get("helper").spec().system()).isEqualTo("$1 \\ ${HOST}");
  }

  @Test
  void a_document_is_applied_again_when_its_environment_has_changed() {
    String text = DOCUMENT.replace("key-one", "${MODEL_KEY}");
    definitions.environment.put("MODEL_KEY", "old");
    definitions.apply(text);
    definitions.environment.put("MODEL_KEY", "new");

    assertThat(definitions.apply(text)).isTrue();
    assertThat(definitions.models.get("sim").apiKey()).isEqualTo(new Secret("new"));
  }

  @Test
  void settings_are_in_force_at_once_and_after_a_restart() {
    definitions.apply(
        """
        version: 1
        settings:
          rate_limit: {requests: 5, window: 10s}
          model_override: {enabled: true, providers: [anthropic]}
          limits: {stall: 7s}
        """);

    for (Settings settings :
        new Settings[] {
          definitions.settings.current(), definitions.db.read(definitions.settings::stored)
        }) {
      assertThat(settings.rateLimit()).isEqualTo(new Limit(5, Duration.ofSeconds(10)));
      assertThat(settings.modelOverride().providers()).containsExactly("anthropic");
      assertThat(settings.modelLimits().stall()).isEqualTo(Duration.ofSeconds(7));
      assertThat(settings.turnLimits()).isEqualTo(Settings.DEFAULT.turnLimits());
    }
  }

  @Test
  void a_document_without_settings_leaves_them_alone() {
    definitions.apply("version: 1\nsettings: {rate_limit: {requests: 5}}\n");
    definitions.apply(DOCUMENT);

    assertThat(definitions.settings.current().rateLimit().requests()).isEqualTo(5);
  }

  @Test
  void an_empty_part_and_a_document_with_a_version_only_are_fine() {
    assertThat(definitions.apply("version: 1\n")).isTrue();
    assertThat(definitions.apply("version: 1\nmodels:\nagents: {}\ntools: {}\n")).isTrue();
    assertThat(definitions.configuration.nothingIsDefined()).isTrue();
  }

  @Test
  void anchors_and_aliases_may_save_some_typing() {
    definitions.apply(
        """
        version: 1
        models:
          one: &model {type: ollama, model_name: m}
          two: *model
        """);

    assertThat(definitions.models.get("two").modelName()).isEqualTo("m");
  }
}
