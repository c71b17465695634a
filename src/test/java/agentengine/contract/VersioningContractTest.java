package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Versioning. */
@ParameterizedClass
@EnumSource
class VersioningContractTest {
  private final Http admin;

  VersioningContractTest(TestDatabases.Kind kind) {
    admin = World.on(kind).admin();
  }

  private int status(String path) {
    return admin.call("GET", path, BodyPublishers.noBody(), Map.of()).status();
  }

  @Test
  void the_API_version_is_part_of_the_path_prefix_api_v1() {
    assertThat(status("//api/v1/agents")).isEqualTo(200);
    assertThat(status("//api/v2/agents")).isEqualTo(404);
    assertThat(status("//agents")).isEqualTo(404);
  }

  @Test
  void the_metrics_endpoint_is_outside_it() {
    assertThat(status("//metrics")).isEqualTo(200);
    assertThat(status("//api/v1/metrics")).isEqualTo(404);
  }

  @Test
  void the_health_response_carries_a_version_string_for_the_engine_build() {
    assertThat(admin.get("/health").json(200).path("version").textValue())
        .matches("\\d+\\.\\d+\\.\\d+.*");
  }
}
