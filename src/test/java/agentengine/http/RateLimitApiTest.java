package agentengine.http;

import static agentengine.http.LimitedEngine.get;
import static agentengine.http.LimitedEngine.header;
import static agentengine.http.LimitedEngine.left;
import static agentengine.http.LimitedEngine.usage;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class RateLimitApiTest {
  private static final Map<TestDatabases.Kind, TestEngine> ENGINES = new ConcurrentHashMap<>();

  private final TestEngine engine;
  private final ApiClient admin;
  private final String customer = TestEngine.freshName();

  RateLimitApiTest(TestDatabases.Kind kind) {
    engine = ENGINES.computeIfAbsent(kind, LimitedEngine::start);
    admin = engine.admin();
  }

  @AfterAll
  static void stop() {
    ENGINES.values().forEach(TestEngine::close);
    ENGINES.clear();
  }

  @Test
  void every_answer_to_an_api_token_counts_except_401_and_429() {
    ApiClient token = admin.withScopes("agents:read");

    assertThat(left(token.get("/api/v1/agents"), 200)).isEqualTo(4);
    assertThat(left(token.get("/api/v1/agents/nobody"), 404)).isEqualTo(3);
    assertThat(left(token.get("/api/v1/nothing"), 404)).isEqualTo(2);
    assertThat(left(token.delete("/api/v1/agents/helper"), 403)).isEqualTo(1);
    assertThat(left(token.send("PATCH", "/api/v1/agents", null, Map.of()), 405)).isZero();
    for (int i = 0; i < 3; i++) {
      Answer refused = token.get("/api/v1/agents");
      assertThat(refused.error(429)).isEqualTo("rate_limited");
      assertThat(refused.json().path("message").textValue()).contains("5 requests in 1h");
      assertThat(header(refused, "X-RateLimit-Limit")).isEqualTo(5);
      assertThat(header(refused, "X-RateLimit-Remaining")).isZero();
      assertThat(header(refused, "Retry-After")).isBetween(1L, 3_600L);
    }
    assertThat(left(admin.withScopes("agents:read").get("/api/v1/agents"), 200)).isEqualTo(4);
  }

  @Test
  void a_jwt_and_what_is_public_have_no_limit() {
    ApiClient token = admin.withScopes("chat");

    for (Answer answer :
        List.of(
            admin.get("/api/v1/agents"),
            token.get("/api/v1/health"),
            token.send("OPTIONS", "/api/v1/agents", null, Map.of()),
            token.get("/nothing"))) {
      assertThat(answer.header("X-RateLimit-Limit")).isNull();
    }
    assertThat(left(token.get("/api/v1/sessions"), 200)).isEqualTo(4);
  }

  @Test
  void a_request_without_a_good_token_is_not_counted_by_a_rule() {
    for (ApiClient client : List.of(engine.anonymous(), engine.anonymous().with("garbage"))) {
      Answer answer = get(client, "X-Customer", customer);
      assertThat(answer.error(401)).isEqualTo("unauthorized");
      assertThat(answer.header("X-RateLimit-Limit")).isNull();
    }

    assertThat(usage(admin, customer).path("used").intValue()).isZero();
  }

  @Test
  void bad_bodies_and_head_count_and_tell_what_is_left() {
    Map<String, String> headers =
        Map.of("X-Customer", customer, "Content-Type", "application/json");
    byte[] nonsense = {'x'};

    assertThat(left(admin.send("POST", "/api/v1/agents", nonsense, headers), 400)).isEqualTo(2);
    Answer head = admin.send("HEAD", "/api/v1/agents", null, headers);
    assertThat(header(head, "X-RateLimit-Remaining")).isEqualTo(1);
    assertThat(
            left(
                admin.send(
                    "POST",
                    "/api/v1/agents",
                    nonsense,
                    Map.of("x-customer", customer, "Content-Type", "text/plain")),
                415))
        .isZero();
    assertThat(admin.send("HEAD", "/api/v1/agents", null, headers).status()).isEqualTo(429);
  }

  @Test
  void a_stream_tells_what_is_left_with_its_first_byte() {
    ApiClient token = admin.withScopes("chat");

    try (EventStream stream = token.chat("help", "[[say Hi]]")) {
      assertThat(stream.header("X-RateLimit-Limit")).isEqualTo("5");
      assertThat(stream.header("X-RateLimit-Remaining")).isEqualTo("4");
      assertThat(Long.parseLong(stream.header("X-RateLimit-Reset"))).isPositive();
      stream.readAll();
    }
  }

  @Test
  void the_tier_of_a_request_decides_and_the_count_stays() {
    assertThat(left(get(admin, "x-CUSTOMER", customer), 200)).isEqualTo(2);
    assertThat(left(get(admin, "X-Customer", customer, "X-Plan", "nonsense"), 200)).isEqualTo(1);
    assertThat(left(get(admin, "X-Customer", customer, "X-Plan", "free"), 200)).isZero();
    assertThat(get(admin, "X-Customer", customer).error(429)).isEqualTo("rate_limited");
    assertThat(left(get(admin, "X-Customer", customer, "x-plan", "pro"), 200)).isEqualTo(496);

    JsonNode usage = usage(admin, customer);
    assertThat(usage.path("rule").textValue()).isEqualTo("per-customer");
    assertThat(usage.path("key").textValue()).isEqualTo(customer);
    assertThat(usage.path("tier").textValue()).isEqualTo("pro");
    assertThat(usage.path("window").textValue()).isEqualTo("2h");
    assertThat(usage.path("used").intValue()).isEqualTo(4);
  }

  @Test
  void of_two_limits_the_one_with_the_least_left_is_told_and_either_refuses() {
    ApiClient token = admin.withScopes("agents:read");
    token.get("/api/v1/agents").expect(200);

    Answer both = get(token, "X-Customer", customer);
    assertThat(header(both, "X-RateLimit-Limit")).isEqualTo(3);
    assertThat(left(both, 200)).isEqualTo(2);
    get(token, "X-Customer", customer).expect(200);
    get(token, "X-Customer", customer).expect(200);
    assertThat(header(get(token, "X-Customer", customer), "X-RateLimit-Limit")).isEqualTo(3);
    assertThat(left(token.get("/api/v1/agents"), 200)).as("not counted when refused").isZero();

    Answer refused = get(token, "X-Customer", customer + "-other");
    assertThat(refused.error(429)).isEqualTo("rate_limited");
    assertThat(header(refused, "X-RateLimit-Limit")).isEqualTo(5);
    assertThat(usage(admin, customer + "-other").path("used").intValue()).isZero();
  }

  @Test
  void usage_needs_both_parameters_and_a_rule_on_that_header() {
    String path = "/api/v1/rate-limits/usage";
    for (String query :
        List.of("", "?key_header=X-Customer", "?key_value=a", "?key_header=&key_value=")) {
      assertThat(admin.get(path + query).error(400)).isEqualTo("invalid_request");
    }
    assertThat(admin.get(path).json().path("details")).hasSize(2);
    assertThat(admin.get(path + "?key_header=X-Other&key_value=a").error(404))
        .isEqualTo("not_found");
    assertThat(admin.get(path + "?key_header=Authorization&key_value=a").error(404))
        .isEqualTo("not_found");
    JsonNode unseen = admin.get(path + "?key_header=x-customer&key_value=nobody").expect(200);
    assertThat(unseen.path("used").intValue()).isZero();
    assertThat(unseen.path("tier").textValue()).isEqualTo("free");
    assertThat(unseen.path("window").textValue()).isEqualTo("1h");
  }

  @Test
  void refusals_are_counted_by_the_rule_that_refused() {
    ApiClient token = admin.withScopes("agents:read");
    Scrape before = Scrape.of(engine);
    for (int i = 0; i < 7; i++) {
      token.get("/api/v1/agents");
    }
    for (int i = 0; i < 4; i++) {
      get(admin, "X-Customer", customer);
    }

    Scrape after = Scrape.of(engine);
    for (Map.Entry<String, Integer> each : Map.of("default", 2, "per-customer", 1).entrySet()) {
      String rule = "rule=\"" + each.getKey() + "\"";
      assertThat(after.sum("engine_rate_limited_total", rule))
          .isEqualTo(before.sum("engine_rate_limited_total", rule) + each.getValue());
    }
  }
}
