package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.TestLedger;
import agentengine.config.BootOptions;
import agentengine.config.MasterKeySource;
import agentengine.config.Variable;
import agentengine.db.Database;
import agentengine.db.PostgresDatabase;
import agentengine.db.SqliteDatabase;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ToolCallsApiTest {
  private static final String PATH = "/api/v1/audit/tool-calls";

  // One engine for all tests of a kind: none of them writes.
  private static final Map<TestDatabases.Kind, TestEngine> ENGINES = new ConcurrentHashMap<>();

  private final ApiClient client;

  ToolCallsApiTest(TestDatabases.Kind kind) {
    client = ENGINES.computeIfAbsent(kind, ToolCallsApiTest::start).admin();
  }

  private static TestEngine start(TestDatabases.Kind kind) {
    return TestEngine.start(kind, ToolCallsApiTest::writeCalls);
  }

  @AfterAll
  static void close() {
    ENGINES.values().forEach(TestEngine::close);
    ENGINES.clear();
  }

  /** What an engine wrote before this one was started. */
  private static void writeCalls(Map<Variable, String> options) {
    try (Database database = open(options)) {
      TestLedger calls =
          new TestLedger(database, MasterKeySource.toStartWith(BootOptions.read(options)));
      calls.complete(TestLedger.call("c1").at("2026-02-28T23:59:59.999Z").build());
      calls.fail(TestLedger.call("c2").at("2026-03-01T00:00:00.000Z").build());
      calls.complete(
          TestLedger.call("c3")
              .at("2026-03-01T12:00:00.123Z")
              .session("s2")
              .path("assistant/researcher")
              .build());
      calls.completeApproved(
          TestLedger.call("c4").at("2026-03-01T23:59:59.999Z").tool("fetch").build());
      calls.complete(TestLedger.call("c5").at("2026-03-02T00:00:00.000Z").user("bob & co").build());
      calls.await(TestLedger.call("c6").build());
    }
  }

  private static Database open(Map<Variable, String> options) {
    String url = options.get(Variable.DATABASE_URL);
    return url == null
        ? SqliteDatabase.open(
            Path.of(options.getOrDefault(Variable.DATA_DIR, "")), new SimpleMeterRegistry())
        : PostgresDatabase.open(URI.create(url), new SimpleMeterRegistry());
  }

  @Test
  void a_record_has_the_fields_of_the_contract_and_a_few_more() {
    JsonNode record = page("session_id=s2").at("/data/0");

    assertThat(record.path("id").longValue()).isEqualTo(3);
    assertThat(record.path("session_id").textValue()).isEqualTo("s2");
    assertThat(record.path("agent_name").textValue()).isEqualTo("researcher");
    assertThat(record.path("tool_name").textValue()).isEqualTo("search");
    assertThat(record.path("input").textValue()).isEqualTo("{\"query\":\"c3\"}");
    assertThat(record.path("output").textValue()).isEqualTo("{\"found\":\"ü\"}");
    assertThat(record.path("status").textValue()).isEqualTo("completed");
    assertThat(record.path("duration_ms").longValue()).isEqualTo(42);
    assertThat(record.path("user_id").textValue()).isEqualTo("alice");
    assertThat(record.path("created_at").textValue()).isEqualTo("2026-03-01T12:00:00.123Z");
    assertThat(record.path("call_id").textValue()).isEqualTo("c3");
    assertThat(record.path("path").textValue()).isEqualTo("assistant/researcher");
    assertThat(record.path("hash").textValue()).hasSize(64);
  }

  @Test
  void all_that_ended_is_there_newest_first_and_what_has_not_is_not() {
    JsonNode page = page("");

    assertThat(calls(page)).containsExactly("c5", "c4", "c3", "c2", "c1");
    assertThat(page.path("total").longValue()).isEqualTo(5);
    assertThat(page.path("page").intValue()).isEqualTo(1);
    assertThat(page.path("per_page").intValue()).isEqualTo(50);
    assertThat(page.path("total_pages").intValue()).isEqualTo(1);
  }

  @Test
  void every_filter_works_alone_and_with_others() {
    assertThat(found("session_id=s2")).containsExactly("c3");
    assertThat(found("agent=researcher")).containsExactly("c3");
    assertThat(found("agent=assistant")).containsExactly("c5", "c4", "c2", "c1");
    assertThat(found("tool=fetch")).containsExactly("c4");
    assertThat(found("status=failed")).containsExactly("c2");
    assertThat(found("status=completed")).containsExactly("c5", "c4", "c3", "c1");
    assertThat(found("user_id=bob%20%26%20co")).containsExactly("c5");
    assertThat(found("agent=assistant&status=completed&tool=search&to=2026-02-28"))
        .containsExactly("c1");
    assertThat(found("session_id=s2&status=failed")).isEmpty();
    assertThat(found("tool=unheard-of")).isEmpty();
  }

  @Test
  void an_empty_value_and_an_unknown_parameter_change_nothing() {
    assertThat(found("session_id=&agent=&status=&from=&to=&page=&per_page=&colour=red")).hasSize(5);
  }

  @Test
  void a_day_is_the_whole_day_in_utc() {
    assertThat(found("from=2026-03-01")).containsExactly("c5", "c4", "c3", "c2");
    assertThat(found("to=2026-03-01")).containsExactly("c4", "c3", "c2", "c1");
    assertThat(found("from=2026-03-01&to=2026-03-01")).containsExactly("c4", "c3", "c2");
    assertThat(found("from=2026-03-02&to=2026-03-01")).isEmpty();
    assertThat(found("from=0000-01-01&to=9999-12-31")).hasSize(5);
  }

  @Test
  void a_time_is_inclusive_to_the_millisecond() {
    assertThat(found("from=2026-03-01T12:00:00.123Z&to=2026-03-01T12:00:00.123Z"))
        .containsExactly("c3");
    assertThat(found("from=2026-03-01T12:00:00.124Z")).containsExactly("c5", "c4");
    assertThat(found("to=2026-03-01T12:00:00.122Z")).containsExactly("c2", "c1");
    assertThat(found("to=2026-03-01T00:00:00Z")).containsExactly("c2", "c1");
    assertThat(found("from=2026-03-01T12:00:00.123999999Z&to=2026-03-01")).contains("c3");
  }

  @Test
  void a_time_may_have_an_offset_also_one_whose_plus_sign_was_not_encoded() {
    assertThat(found("from=2026-03-02T02:00:00%2B02:00")).containsExactly("c5");
    assertThat(found("from=2026-03-02T02:00:00+02:00")).containsExactly("c5");
    assertThat(found("from=2026-03-01T19:00:00-05:00")).containsExactly("c5");
    assertThat(found("from=2026-03-02t00:00:00z")).containsExactly("c5");
  }

  @Test
  void what_is_no_date_is_refused_by_name() {
    for (String field : List.of("from", "to")) {
      for (String value :
          List.of(
              "yesterday",
              "2026-3-1",
              "2026-02-30",
              "2026-13-01",
              "2026-03-01T12:00",
              "2026-03-01T12:00:00",
              "2026-03-01T25:00:00Z",
              "2026-03-01T12:00:00.Z",
              "2026-03-01T12:00:00%2B99:00",
              "20260301",
              "1772366400",
              "%2B12026-03-01",
              "2026-03-01%20")) {
        JsonNode error = client.get(PATH + "?" + field + "=" + value).expect(400);
        assertThat(error.at("/details/0/field").textValue()).as(value).isEqualTo(field);
        assertThat(error.path("error").textValue()).isEqualTo("invalid_request");
      }
    }
  }

  @Test
  void an_unknown_status_is_refused() {
    for (String status : List.of("running", "waiting", "COMPLETED", "rejected", "x")) {
      JsonNode error = client.get(PATH + "?status=" + status).expect(400);
      assertThat(error.at("/details/0/field").textValue()).isEqualTo("status");
    }
  }

  @Test
  void pages_have_no_gap_and_no_overlap() {
    assertThat(found("per_page=2&page=1")).containsExactly("c5", "c4");
    assertThat(found("per_page=2&page=2")).containsExactly("c3", "c2");
    assertThat(found("per_page=2&page=3")).containsExactly("c1");
    JsonNode beyond = page("per_page=2&page=4&agent=assistant");
    assertThat(beyond.path("data")).isEmpty();
    assertThat(beyond.path("total").longValue()).isEqualTo(4);
    assertThat(beyond.path("total_pages").longValue()).isEqualTo(2);
    assertThat(beyond.path("page").longValue()).isEqualTo(4);
    assertThat(found("page=999999999")).isEmpty();
  }

  @Test
  void a_page_never_has_more_than_100_records_and_says_so() {
    assertThat(page("per_page=101").path("per_page").intValue()).isEqualTo(100);
    assertThat(page("per_page=99999999999").path("per_page").intValue()).isEqualTo(100);
  }

  @Test
  void a_page_or_size_below_1_or_without_a_number_is_refused() {
    for (String field : List.of("page", "per_page")) {
      for (String value : List.of("0", "-1", "x", "1.5", "1e3", "%20")) {
        JsonNode error = client.get(PATH + "?" + field + "=" + value).expect(400);
        assertThat(error.at("/details/0/field").textValue()).as(value).isEqualTo(field);
      }
    }
    assertThat(client.get(PATH + "?page=1000000000").error(400)).isEqualTo("invalid_request");
  }

  @Test
  void only_an_admin_reads_it() {
    assertThat(client.withScopes("chat", "config").get(PATH).error(403)).isEqualTo("forbidden");
    assertThat(client.with("").get(PATH).error(401)).isEqualTo("unauthorized");
  }

  private JsonNode page(String query) {
    return client.get(PATH + "?" + query).expect(200);
  }

  private List<String> found(String query) {
    return calls(page(query));
  }

  private static List<String> calls(JsonNode page) {
    List<String> ids = new ArrayList<>();
    page.path("data").forEach(record -> ids.add(record.path("call_id").textValue()));
    return ids;
  }
}
