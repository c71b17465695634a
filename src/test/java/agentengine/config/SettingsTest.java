package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.error.FieldError;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.limit.Limit;
import agentengine.model.ModelLimits;
import agentengine.turn.TurnLimits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingsTest {
  @Test
  void the_defaults_are_those_of_the_documents() {
    assertThat(Settings.DEFAULT.rateLimit()).isEqualTo(new Limit(60, Duration.ofMinutes(1)));
    assertThat(Settings.DEFAULT.modelOverride().enabled()).isFalse();
    assertThat(Settings.DEFAULT.modelLimits().firstToken()).isEqualTo(Duration.ofMinutes(2));
    assertThat(Settings.DEFAULT.modelLimits().stall()).isEqualTo(Duration.ofMinutes(1));
    assertThat(Settings.DEFAULT.turnLimits().turn()).isEqualTo(Duration.ofMinutes(30));
  }

  @Test
  void what_is_absent_has_its_default() {
    assertThat(read("{}")).isEqualTo(Settings.DEFAULT);
    assertThat(read("{\"rate_limit\":{},\"model_override\":{},\"limits\":{}}"))
        .isEqualTo(Settings.DEFAULT);
    assertThat(read("{\"rate_limit\":{\"requests\":5}}").rateLimit())
        .isEqualTo(new Limit(5, Duration.ofMinutes(1)));
  }

  @Test
  void every_setting_is_read_and_written_back_the_same() {
    Settings settings =
        new Settings(
            new Limit(7, Duration.ofMinutes(90)),
            new Settings.ModelOverride(true, List.of("anthropic", "xai")),
            new ModelLimits(Duration.ofMillis(1500), Duration.ofSeconds(5), Duration.ofSeconds(6)),
            new TurnLimits(
                Duration.ofDays(1),
                12,
                3,
                new TurnLimits.ToolLimits(Duration.ofSeconds(5), Duration.ofHours(1), 2, 2_000)));

    assertThat(read(Json.write(settings.toJson()))).isEqualTo(settings);
    assertThat(read(Json.write(Settings.DEFAULT.toJson()))).isEqualTo(Settings.DEFAULT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"rate_limit\":{\"requests\":0}}              | rate_limit.requests",
        "{\"rate_limit\":{\"requests\":\"60\"}}         | rate_limit.requests",
        "{\"rate_limit\":{\"window\":\"0s\"}}           | rate_limit.window",
        "{\"rate_limit\":{\"window\":\"a minute\"}}     | rate_limit.window",
        "{\"rate_limit\":{\"window\":60}}               | rate_limit.window",
        "{\"rate_limit\":{\"window\":\"32d\"}}          | rate_limit.window",
        "{\"rate_limit\":{\"limit\":5}}                 | rate_limit.limit",
        "{\"rate_limit\":[]}                            | rate_limit",
        "{\"model_override\":{\"enabled\":\"yes\"}}     | model_override.enabled",
        "{\"model_override\":{\"providers\":[\"x\"]}}   | model_override.providers",
        "{\"limits\":{\"stall\":\"2h\"}}                | limits.stall",
        "{\"limits\":{\"first_token\":\"\"}}            | limits.first_token",
        "{\"limits\":{\"turn\":\"-1s\"}}                | limits.turn",
        "{\"limits\":{\"concurrent_turns\":0}}          | limits.concurrent_turns",
        "{\"limits\":{\"unheard_of\":1}}                | limits.unheard_of",
        "{\"colour\":\"blue\"}                          | colour"
      })
  void a_wrong_setting_is_named(String json, String field) {
    assertThat(errors(json)).extracting(FieldError::field).containsExactly(field);
  }

  @Test
  void all_that_is_wrong_is_named_at_once() {
    assertThat(
            errors("{\"rate_limit\":{\"requests\":0},\"limits\":{\"stall\":1,\"turn\":1},\"x\":1}"))
        .extracting(FieldError::field)
        .containsExactlyInAnyOrder("rate_limit.requests", "limits.stall", "limits.turn", "x");
  }

  private static Settings read(String json) {
    Fields fields = Fields.of(Json.parse(json));
    Settings settings = Settings.read(fields);
    fields.finish();
    return settings;
  }

  private static List<FieldError> errors(String json) {
    List<FieldError> errors = new ArrayList<>();
    Fields fields = Fields.of(Json.parse(json), "", errors);
    Settings.read(fields);
    fields.complete();
    return errors;
  }
}
