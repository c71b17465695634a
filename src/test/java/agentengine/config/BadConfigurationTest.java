package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Documents that are refused: whole, with all that is wrong, each at its place. */
@ParameterizedClass
@EnumSource
class BadConfigurationTest {
  private static final String MODEL =
      """
      version: 1
      models:
        sim: {type: ollama, model_name: m}
      """;

  private final Definitions definitions;

  BadConfigurationTest(TestDatabases.Kind kind) {
    definitions = new Definitions(kind);
    definitions.apply("version: 1\nmodels: {before: {type: ollama, model_name: m}}\n");
  }

  @AfterAll
  static void close() {
    Definitions.closeAll();
  }

  @Test
  void all_that_is_wrong_is_told_at_once_in_the_order_of_the_text() {
    List<String> problems =
        problems(
            """
            version: 1
            colour: blue
            models:
              sim:
                type: ollama
                model_name: 7
                key: sesame
              sim: {type: ollama, model_name: m}
              Bad Name: {type: nonsense, model_name: m}
            agents:
              helper:
                model: nowhere
                max_steps: 0
                tools: [current_time, fly]
              silent: {}
            schemas:
              help:
                entry_agent: nobody
                chat_enabled: perhaps
            settings:
              limits: {stall: soon}
            """);

    assertThat(problems)
        .containsExactly(
            "2:1 colour",
            "6:5 models.sim.model_name",
            "7:5 models.sim.key",
            "8:3 models.sim",
            "9:3 models.Bad Name",
            "9:14 models.Bad Name.type",
            "12:5 agents.helper.model",
            "13:5 agents.helper.max_steps",
            "14:5 agents.helper.tools",
            "15:3 agents.silent.model",
            "18:5 schemas.help.entry_agent",
            "19:5 schemas.help.chat_enabled",
            "21:12 settings.limits.stall");
  }

  @Test
  void one_mistake_at_the_end_undoes_all_that_was_good_before() {
    assertThat(problems(MODEL + "agents: {helper: {model: sim, can_spawn: [nobody]}}\n"))
        .containsExactly("4:31 agents.helper.can_spawn");
  }

  @Test
  void what_is_missing_is_asked_for_where_it_should_be() {
    assertThat(definitions.refusal("version: 1\nmodels:\n  sim:\n    type: openai_compatible\n"))
        .extracting(ConfigurationException.Problem::toString)
        .containsExactly(
            "line 3, column 3: models.sim.model_name: is required",
            "line 3, column 3: models.sim.base_url: is required for models of this type");
  }

  @Test
  void a_version_is_required_and_must_be_one() {
    for (String text : List.of("", "{}", "# nothing\n", "models: {}\n")) {
      assertThat(definitions.refusal(text)).hasSize(1);
      assertThat(definitions.refusal(text).getFirst().message()).contains("version 1");
    }
    for (String version : List.of("2", "1.0", "'1'", "one", "[1]", "true")) {
      assertThat(definitions.refusal("models: {}\nversion: " + version + "\n"))
          .extracting(ConfigurationException.Problem::toString)
          .containsExactly(
              "line 2, column 1: version: must be 1, the version that this program reads");
    }
  }

  @Test
  void a_part_of_the_wrong_form_is_refused() {
    assertThat(problems("version: 1\nmodels: []\n")).containsExactly("2:1 models");
    assertThat(problems("version: 1\nmodels: {sim: text}\n").getFirst())
        .isEqualTo("2:10 models.sim");
    assertThat(problems("version: 1\nsettings: 7\n")).containsExactly("2:1 settings");
    assertThat(problems("version: 1\ntools: 7\n")).containsExactly("2:1 tools");
    assertThat(problems("- version: 1\n")).containsExactly("1:1 ");
    assertThat(problems("just text\n")).containsExactly("1:1 ");
  }

  @Test
  void a_key_that_is_there_twice_is_refused_wherever_it_stands() {
    assertThat(problems("version: 1\nversion: 1\nversion: 1\n"))
        .containsExactly("2:1 version", "3:1 version");
    assertThat(problems(MODEL + "agents:\n  a: {model: sim, model: sim}\n"))
        .containsExactly("5:19 agents.a.model");
  }

  @Test
  void an_environment_variable_that_is_not_set_is_named() {
    List<ConfigurationException.Problem> problems =
        definitions.refusal(
            """
            version: 1
            models:
              sim:
                type: ollama
                model_name: ${NAME_OF_MODEL}
                api_key: ${KEY_ONE}${KEY_TWO}
            """);

    assertThat(problems)
        .extracting(ConfigurationException.Problem::message)
        .containsSubsequence(
            "the environment variable NAME_OF_MODEL is not set",
            "the environment variable KEY_ONE is not set",
            "the environment variable KEY_TWO is not set");
    assertThat(problems.getFirst().line()).isEqualTo(5);
    assertThat(problems.getLast().line()).isEqualTo(6);
  }

  @Test
  void what_is_not_yaml_is_refused_at_its_place() {
    assertThat(problems("version: 1\nmodels:\n\tsim: {}\n")).containsExactly("3:1 ");
    assertThat(problems("version: 1\nmodels: {sim: [}\n")).containsExactly("2:16 ");
    assertThat(problems("version: 1\n---\nversion: 1\n")).hasSize(1);
    assertThat(problems("version: 1\nmodels: *unknown\n")).containsExactly("2:9 ");
    assertThat(problems("version: 1\n? [a, b]\n: c\n")).hasSize(1);
    assertThat(problems("version: 1\nmodels: \"a\u0001b\"\n")).hasSize(1);
    assertThat(definitions.refusal("version: 1\nmodels: {sim: [}\n").getFirst().message())
        .startsWith("not valid YAML: ")
        .doesNotContain("\n");
  }

  @Test
  void a_text_that_the_databases_could_not_hold_is_refused() {
    assertThat(problems(MODEL + "agents: {a: {model: sim, system: \"a\\0b\"}}\n"))
        .containsExactly("4:26 agents.a.system");
    assertThat(problems(MODEL + "agents: {\"a\\0b\": {model: sim}}\n")).hasSize(1);
  }

  @Test
  void a_document_that_grows_when_it_is_read_is_refused() {
    StringBuilder bomb = new StringBuilder("version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 20; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a%d: &a%d [%s, %s, %s]\n".formatted(i, i, alias, alias, alias));
    }

    assertThat(definitions.refusal(bomb.toString())).hasSize(1);
  }

  @Test
  void a_document_that_contains_itself_is_refused() {
    assertThat(problems("version: 1\nmodels: &all {sim: *all}\n")).containsExactly("2:9 ");
    assertThat(problems("version: 1\nmodels: &all [*all]\n")).containsExactly("2:9 ");
  }

  @Test
  void a_document_of_extreme_depth_is_refused() {
    assertThat(problems("version: 1\nmodels: " + "[".repeat(100_000))).hasSize(1);
    assertThat(problems("version: 1\nmodels: " + "{a: ".repeat(100_000))).hasSize(1);
    assertThat(problems("- ".repeat(100_000))).hasSize(1);
  }

  @Test
  void a_document_of_extreme_length_is_refused() {
    String remark = "# " + "x".repeat(98) + "\n";

    assertThat(definitions.refusal("version: 1\n" + remark.repeat(20_000)).getFirst().message())
        .contains("characters");
    assertThat(problems("version: 1\nmodels: [" + "a,".repeat(100_000) + "a]\n")).hasSize(1);
  }

  @Test
  void numbers_of_extreme_size_are_only_bad_numbers() {
    for (String number : List.of("1e999999999", "1e-999999999", "9".repeat(30), "0x7fffffff")) {
      assertThat(problems(MODEL + "agents: {a: {model: sim, max_steps: " + number + "}}\n"))
          .containsExactly("4:26 agents.a.max_steps");
    }
  }

  /** Line, column and path of each complaint. */
  private List<String> problems(String text) {
    return definitions.refusal(text).stream()
        .map(problem -> problem.line() + ":" + problem.column() + " " + problem.path())
        .toList();
  }
}
