package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings. */
@ParameterizedClass
@EnumSource
class SettingsContractTest {
  private final World world;
  private final Http admin;
  private final Reply before;

  SettingsContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
    before = admin.get("/settings");
  }

  @AfterEach
  void asTheyWere() {
    admin.put("/settings", before.text()).json(200);
  }

  @Test
  void GET_settings_has_rate_limit_model_override_and_limits() {
    JsonNode settings = admin.get("/settings").json(200);

    Shapes.hasExactly(settings, "rate_limit", "model_override", "limits");
    Shapes.hasExactly(settings.path("rate_limit"), "requests", "window");
    Shapes.integers(settings.path("rate_limit"), "requests");
    Shapes.durations(settings.path("rate_limit"), "window");
    Shapes.hasExactly(settings.path("model_override"), "enabled", "providers");
    assertThat(settings.path("limits")).isNotEmpty();
  }

  @Test
  void PUT_settings_is_partial() {
    JsonNode after = admin.put("/settings", "{'rate_limit':{'requests':999999}}").json(200);

    assertThat(after.path("rate_limit").path("requests").intValue()).isEqualTo(999_999);
    assertThat(after.path("rate_limit").path("window").textValue()).isEqualTo("1m");
    assertThat(after.path("model_override")).isEqualTo(before.json(200).path("model_override"));
    assertThat(after.path("limits")).isEqualTo(before.json(200).path("limits"));
    assertThat(admin.get("/settings").json(200)).isEqualTo(after);
  }

  @Test
  void a_change_is_effective_at_once_and_model_timeout_is_504() {
    admin.put("/settings", "{'limits':{'first_token':'100ms','connect':'100ms'}}").json(200);

    admin.ask("help", "[[never]]").isError(504, "model_timeout");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'rate_limit':{'requests':0}}",
        "{'rate_limit':{'requests':-1}}",
        "{'rate_limit':{'window':'0s'}}",
        "{'rate_limit':{'window':'soon'}}",
        "{'rate_limit':60}",
        "{'model_override':{'providers':['abacus']}}",
        "{'ratelimit':{}}"
      })
  void what_is_no_setting_is_refused_and_changes_nothing(String body) {
    admin.put("/settings", body).isError(400, "invalid_request");
    assertThat(admin.get("/settings").text()).isEqualTo(before.text());
  }

  @Test
  void settings_need_admin() {
    Http others = admin.scoped("config", "chat", "agents:write", "models:write");
    others.get("/settings").isError(403, "forbidden");
    others.put("/settings", "{}").isError(403, "forbidden");
    world.anonymous().get("/settings").isError(401, "unauthorized");
  }

  @Test
  void defaults_are_visible() {
    try (TestEngine plain =
        TestEngine.start(
            TestDatabases.Kind.SQLITE, options -> World.write(options, "version: 1\n"))) {
      JsonNode settings = World.session(new Http(plain.port(), "")).get("/settings").json(200);
      assertThat(settings.path("rate_limit").path("requests").intValue()).isEqualTo(60);
      assertThat(settings.path("rate_limit").path("window").textValue()).isEqualTo("1m");
      assertThat(settings.path("model_override").path("enabled").booleanValue()).isFalse();
    }
  }
}
