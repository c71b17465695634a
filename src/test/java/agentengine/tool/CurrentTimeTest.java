package agentengine.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class CurrentTimeTest {
  private final Tool tool =
      new BuiltInTools(InstantSource.fixed(Instant.parse("2026-01-02T23:04:05.678Z")))
          .find("current_time")
          .orElseThrow();

  @Test
  void the_time_is_told_in_utc_or_in_the_zone_asked_for() throws Exception {
    assertThat(tool.run("c1", Json.object()))
        .isEqualTo(Json.object().put("time", "2026-01-02T23:04:05Z").put("timezone", "UTC"));
    assertThat(tool.run("c1", zone("Asia/Kolkata")))
        .isEqualTo(
            Json.object().put("time", "2026-01-03T04:34:05+05:30").put("timezone", "Asia/Kolkata"));
  }

  @Test
  void a_zone_that_is_none_fails_with_a_hint() {
    for (String zone : List.of("", "Mars/Olympus", "UTC+25", "+02:00", "europe/berlin")) {
      assertThatExceptionOfType(ToolFailure.class)
          .isThrownBy(() -> tool.run("c1", zone(zone)))
          .withMessageContaining("Europe/Berlin");
    }
  }

  @Test
  void other_arguments_are_refused() {
    assertThat(tool.problem(Json.object())).isNull();
    assertThat(tool.problem(zone("Europe/Berlin"))).isNull();
    assertThat(tool.problem(Json.object().put("timezone", 5))).contains("$.timezone");
    assertThat(tool.problem(Json.object().put("zone", "UTC"))).contains("zone");
  }

  @Test
  void it_may_run_again_and_nobody_is_asked() {
    assertThat(tool.effect()).isEqualTo(Effect.READ_ONLY);
    assertThat(tool.confirmBefore()).isFalse();
    assertThat(BuiltInTools.names())
        .containsExactlyInAnyOrder("current_time", "show_structured_output", "create_task");
  }

  private static ObjectNode zone(String name) {
    return Json.object().put("timezone", name);
  }
}
