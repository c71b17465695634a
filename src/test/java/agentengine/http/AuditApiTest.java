package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class AuditApiTest {
  private final ApiClient client;
  private final String name = TestEngine.freshName();

  AuditApiTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
  }

  @BeforeEach
  void fiveActs() {
    client.post("/api/v1/agents", Json.object().put("name", name).put("model", "sim")).expect(201);
    for (int i = 0; i < 4; i++) {
      client.put("/api/v1/agents/" + name, Json.object().put("max_steps", i + 1)).expect(200);
    }
  }

  @Test
  void pages_hold_the_log_newest_first_without_gap_or_overlap() {
    JsonNode whole = page("per_page=6");
    List<JsonNode> pieces = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      JsonNode page = page("per_page=2&page=" + number);
      assertThat(page.path("page").intValue()).isEqualTo(number);
      assertThat(page.path("per_page").intValue()).isEqualTo(2);
      page.path("data").forEach(pieces::add);
    }

    assertThat(whole.path("data")).containsExactlyElementsOf(pieces);
    assertThat(pieces)
        .extracting(event -> event.path("id").longValue())
        .isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(pieces.getFirst().path("action").textValue()).isEqualTo("agent.updated");
    assertThat(pieces.getFirst().path("target").textValue()).isEqualTo(name);
  }

  @Test
  void the_totals_fit_the_page_size() {
    JsonNode page = page("per_page=2");
    long total = page.path("total").longValue();

    assertThat(total).isGreaterThanOrEqualTo(5);
    assertThat(page.path("total_pages").longValue()).isEqualTo((total + 1) / 2);
    assertThat(page("per_page=2&page=" + (total + 1) / 2).path("data")).isNotEmpty();
    JsonNode beyond = page("per_page=2&page=" + (total + 1));
    assertThat(beyond.path("data")).isEmpty();
    assertThat(beyond.path("total").longValue()).isEqualTo(total);
  }

  @Test
  void a_page_has_50_events_unless_asked_otherwise_and_never_more_than_100() {
    assertThat(page("").path("per_page").intValue()).isEqualTo(50);
    assertThat(page("per_page=100").path("per_page").intValue()).isEqualTo(100);
    assertThat(page("per_page=101").path("per_page").intValue()).isEqualTo(100);
    assertThat(page("per_page=99999999999999999999").path("per_page").intValue()).isEqualTo(100);
    assertThat(page("per_page=0003").path("per_page").intValue()).isEqualTo(3);
    assertThat(page("").path("page").intValue()).isEqualTo(1);
  }

  @Test
  void a_page_beyond_all_counting_is_refused() {
    assertThat(page("page=999999999").path("data")).isEmpty();
    assertThat(client.get("/api/v1/audit/events?page=1000000000").error(400))
        .isEqualTo("invalid_request");
    assertThat(client.get("/api/v1/audit/events?page=99999999999999999999").error(400))
        .isEqualTo("invalid_request");
  }

  @Test
  void what_the_configuration_made_is_in_the_log_too() {
    assertThat(AuditLog.of(client, name).getLast().path("actor").textValue())
        .isEqualTo("local-admin");
    JsonNode first = page("per_page=1&page=" + page("per_page=1").path("total").longValue());
    assertThat(first.at("/data/0/actor").textValue()).isEqualTo("engine:start");
  }

  private JsonNode page(String query) {
    return client.get("/api/v1/audit/events?" + query).expect(200);
  }
}
