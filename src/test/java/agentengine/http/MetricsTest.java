package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class MetricsTest {
  private static final String CHAT_ROUTE = "route=\"/api/v1/schemas/{name}/chat\"";

  private static final Duration SOON = Duration.ofSeconds(20);

  private final TestDatabases.Kind kind;
  private final TestEngine engine;
  private final ApiClient client;
  private final String name = TestEngine.freshName();

  MetricsTest(TestDatabases.Kind kind) {
    this.kind = kind;
    engine = TestEngine.shared(kind);
    client = engine.admin();
  }

  @Test
  void requests_are_counted_by_their_route_and_not_by_the_names_in_their_paths() {
    double before = requests("404");
    client.get("/api/v1/agents/" + name);
    client.get("/api/v1/" + name);
    client.send("SEARCH", "/api/v1/agents", null, Map.of());
    client.get("/api/v1/agents/" + name);

    await(() -> requests("404") == before + 2);
    Scrape after = Scrape.of(engine);
    assertThat(after.samples())
        .filteredOn(sample -> sample.name().startsWith("engine_http"))
        .isNotEmpty()
        .allSatisfy(sample -> assertThat(sample.labels()).doesNotContain(name).contains("route="));
    assertThat(after.sum("engine_http_requests_total", "method=\"OTHER\"")).isPositive();
    assertThat(after.sum("engine_http_requests_total", "route=\"unmatched\"")).isPositive();
    assertThat(
            after.sum(
                "engine_http_request_duration_seconds_count", "route=\"/api/v1/agents/{name}\""))
        .isPositive();
  }

  private double requests(String status) {
    return Scrape.of(engine)
        .sum(
            "engine_http_requests_total",
            "method=\"GET\"",
            "route=\"/api/v1/agents/{name}\"",
            "status=\"" + status + "\"");
  }

  @Test
  void a_turn_is_counted_with_its_agent_its_outcome_and_its_tokens() {
    newSchema();
    Scrape before = Scrape.of(engine);

    client.chat(name, "[[say Hi]] [[usage 30 4]]").readAll();
    client.chat(name, "[[error 400 no]]").readAll();

    String agent = "agent=\"" + name + "\"";
    await(() -> Scrape.of(engine).sum("engine_turns_total", agent) == 2);
    Scrape after = Scrape.of(engine);
    String model = "model=\"" + name + "\"";
    assertThat(after.sum("engine_turns_total", agent, "outcome=\"completed\"")).isEqualTo(1);
    assertThat(after.sum("engine_tokens_total", model, "direction=\"input\"")).isEqualTo(30);
    assertThat(after.sum("engine_tokens_total", model, "direction=\"output\"")).isEqualTo(4);
    assertThat(after.sum("engine_time_to_first_token_seconds_count", model)).isEqualTo(1);
    for (String counter :
        List.of("engine_turn_duration_seconds_count", "engine_store_commit_seconds_count")) {
      assertThat(after.sum(counter)).as(counter).isGreaterThanOrEqualTo(before.sum(counter) + 2);
    }
    await(
        () ->
            Scrape.of(engine).sum("engine_http_requests_total", CHAT_ROUTE, "status=\"200\"") >= 2);
  }

  @Test
  void tool_calls_are_counted_by_tool_and_status_and_names_that_a_model_made_up_are_not_labels() {
    newSchema();
    ObjectNode withTool = Json.object();
    withTool.set("tools", Json.array(List.of("current_time")));
    client.put("/api/v1/agents/" + name, withTool).expect(200);
    Scrape before = Scrape.of(engine);

    client
        .chat(
            name,
            "[[tool current_time {}]] [[tool current_time {\"zone\":\"Nowhere/Else\"}]]"
                + " [[tool made_up {}]] [[then]] [[say Well]]")
        .readAll();

    Scrape after = Scrape.of(engine);
    String calls = "engine_tool_calls_total";
    String completed = "status=\"completed\"";
    assertThat(after.sum(calls) - before.sum(calls)).isGreaterThanOrEqualTo(3);
    assertThat(after.sum(calls, "tool=\"current_time\"", completed))
        .isGreaterThan(before.sum(calls, "tool=\"current_time\"", completed));
    assertThat(after.sum(calls, "tool=\"refused\"", "status=\"failed\""))
        .isGreaterThan(before.sum(calls, "tool=\"refused\"", "status=\"failed\""));
    assertThat(after.samples())
        .allSatisfy(sample -> assertThat(sample.labels()).doesNotContain("made_up"));
  }

  @Test
  void tasks_are_shown_by_their_status() {
    Scrape before = Scrape.of(engine);
    assertThat(before.samples())
        .filteredOn(sample -> sample.name().equals("engine_tasks"))
        .hasSize(6);

    client
        .post("/api/v1/tasks", Json.object().put("agent", "helper").put("title", "[[say Done]]"))
        .expect(201);

    String completed = "status=\"completed\"";
    await(
        () ->
            Scrape.of(engine).sum("engine_tasks", completed)
                > before.sum("engine_tasks", completed));
  }

  /** What has happened is shown a moment later: a client has its answer before it is counted. */
  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      try {
        Thread.sleep(50);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** A schema, an agent and a model whose name is on no other turn. */
  private void newSchema() {
    ObjectNode model = Json.object().put("name", name).put("type", "openai_compatible");
    model.put("model_name", "scripted").put("base_url", engine.simulator().baseUrl());
    client.post("/api/v1/models", model.put("api_key", "secret-of-" + name)).expect(201);
    client.post("/api/v1/agents", Json.object().put("name", name).put("model", name)).expect(201);
    ObjectNode schema = Json.object().put("name", name).put("entry_agent", name);
    client.post("/api/v1/schemas", schema.put("chat_enabled", true)).expect(201);
  }

  @Test
  void a_stream_counts_as_active_as_long_as_it_is_open() {
    try (TestEngine own = TestEngine.start(kind)) {
      ApiClient admin = own.admin();
      EventStream first = admin.chat("help", "[[say Wait]] [[stall]]");
      EventStream second = admin.attach(first.sessionId(), null);
      first.await("message_delta");
      second.await("message_delta");

      assertThat(Scrape.of(own).sum("engine_chat_streams_active")).isEqualTo(2);
      admin.post("/api/v1/sessions/" + first.sessionId() + "/cancel", null).expect(200);
      first.readAll();
      second.readAll();
      // A client sees the end of its stream a moment before the engine is done with it.
      await(() -> Scrape.of(own).sum("engine_chat_streams_active") == 0);
    }
  }

  @Test
  void the_machine_and_its_memory_are_there_too() {
    Scrape scrape = Scrape.of(engine);

    for (String metric :
        List.of(
            "jvm_memory_used_bytes",
            "jvm_threads_live_threads",
            "jvm_gc_memory_allocated_bytes_total",
            "process_cpu_usage",
            "process_uptime_seconds")) {
      assertThat(scrape.has(metric)).as(metric).isTrue();
    }
  }

  @Test
  void no_secret_and_no_message_is_in_the_metrics() {
    newSchema();
    client.chat(name, "[[say words-of-" + name + "]]").readAll();

    assertThat(engine.anonymous().get("/metrics").text())
        .doesNotContain("secret-of")
        .doesNotContain("words-of")
        .doesNotContain(client.token());
  }
}
