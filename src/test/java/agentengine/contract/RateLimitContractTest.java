package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The rate of requests: the default limit, rules, headers, and usage. */
@ParameterizedClass
@EnumSource
class RateLimitContractTest {
  private static final String CONFIGURATION =
      """
      version: 1
      rate_limits:
        by-customer:
          key_header: X-Customer
          tier_header: X-Tier
          default_tier: free
          tiers:
            free: {requests: 3, window: 1h}
            paid: {requests: 5, window: 1h}
      """;

  private static final Map<TestDatabases.Kind, TestEngine> ENGINES = new ConcurrentHashMap<>();

  private final TestEngine engine;
  private final Http admin;

  RateLimitContractTest(TestDatabases.Kind kind) {
    engine = ENGINES.computeIfAbsent(kind, RateLimitContractTest::start);
    admin = World.session(new Http(engine.port(), ""));
  }

  private static TestEngine start(TestDatabases.Kind kind) {
    return TestEngine.start(kind, options -> World.write(options, CONFIGURATION));
  }

  @AfterAll
  static void stop() {
    ENGINES.values().forEach(TestEngine::close);
    ENGINES.clear();
  }

  private Reply asCustomer(String customer, String tier) {
    Map<String, String> headers =
        tier.isEmpty()
            ? Map.of("X-Customer", customer)
            : Map.of("X-Customer", customer, "X-Tier", tier);
    return admin.call("GET", "/agents", BodyPublishers.noBody(), headers);
  }

  private JsonNode usage(String header, String customer) {
    return admin
        .get("/rate-limits/usage?key_header=" + header + "&key_value=" + customer)
        .json(200);
  }

  @Test
  void the_default_request_rate_is_60_requests_per_minute_per_API_token() {
    Http client = admin.scoped("agents:read");

    for (int used = 1; used <= 60; used++) {
      Reply reply = client.get("/agents");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("X-RateLimit-Limit")).isEqualTo("60");
      assertThat(reply.header("X-RateLimit-Remaining")).isEqualTo(String.valueOf(60 - used));
    }
    Reply refused = client.get("/agents");
    refused.isError(429, "rate_limited");
    assertThat(refused.header("X-RateLimit-Remaining")).isEqualTo("0");
    assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 60);
    admin.scoped("agents:read").get("/agents").json(200);
  }

  @Test
  void a_JWT_is_not_limited_by_the_default() {
    for (int i = 0; i < 70; i++) {
      Reply reply = admin.get("/agents");
      assertThat(reply.status()).isEqualTo(200);
      assertThat(reply.header("X-RateLimit-Limit")).isEmpty();
    }
  }

  @Test
  void a_rate_limited_response_is_HTTP_429_with_Retry_After_and_the_three_headers() {
    for (int i = 0; i < 3; i++) {
      asCustomer("ann", "").json(200);
    }

    Reply refused = asCustomer("ann", "");

    refused.isError(429, "rate_limited");
    assertThat(refused.header("X-RateLimit-Limit")).isEqualTo("3");
    assertThat(refused.header("X-RateLimit-Remaining")).isEqualTo("0");
    long reset = Long.parseLong(refused.header("X-RateLimit-Reset"));
    assertThat(Instant.ofEpochSecond(reset)).as("Unix timestamp in seconds").isAfter(Instant.now());
    assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 3600);
    asCustomer("bob", "").json(200);
  }

  @Test
  void X_RateLimit_headers_are_on_every_response_and_count_down_to_the_same_reset() {
    Reply first = asCustomer("cid", "paid");
    Reply second = asCustomer("cid", "paid");

    assertThat(first.header("X-RateLimit-Limit")).isEqualTo("5");
    assertThat(first.header("X-RateLimit-Remaining")).isEqualTo("4");
    assertThat(second.header("X-RateLimit-Remaining")).isEqualTo("3");
    assertThat(second.header("X-RateLimit-Reset")).isEqualTo(first.header("X-RateLimit-Reset"));
    Reply notThere =
        admin.call(
            "GET",
            "/agents/no-such",
            BodyPublishers.noBody(),
            Map.of("X-Customer", "cid", "X-Tier", "paid"));
    assertThat(notThere.status()).isEqualTo(404);
    assertThat(notThere.header("X-RateLimit-Remaining")).as("all others count").isEqualTo("2");
  }

  @Test
  void an_unknown_tier_is_the_default_one_and_a_changed_tier_keeps_the_count() {
    assertThat(asCustomer("dan", "golden").header("X-RateLimit-Limit")).isEqualTo("3");
    Reply paid = asCustomer("dan", "paid");
    assertThat(paid.header("X-RateLimit-Limit")).isEqualTo("5");
    assertThat(paid.header("X-RateLimit-Remaining")).isEqualTo("3");
  }

  @Test
  void without_the_key_header_a_rule_does_not_apply() {
    assertThat(admin.get("/agents").header("X-RateLimit-Limit")).isEmpty();
  }

  @Test
  void a_rate_limit_usage_record_has_the_fields_of_its_table_and_agrees_with_the_headers() {
    Reply reply = asCustomer("eve", "paid");

    JsonNode usage = usage("x-customer", "eve");

    Shapes.hasExactly(usage, "rule", "key", "tier", "used", "limit", "window", "resets_at");
    assertThat(usage.path("rule").textValue()).isEqualTo("by-customer");
    assertThat(usage.path("key").textValue()).isEqualTo("eve");
    assertThat(usage.path("tier").textValue()).isEqualTo("paid");
    assertThat(usage.path("used").intValue()).isEqualTo(1);
    assertThat(usage.path("limit").intValue()).isEqualTo(5);
    assertThat(usage.path("window").textValue()).isEqualTo("1h");
    assertThat(Instant.parse(usage.path("resets_at").textValue()).getEpochSecond())
        .isEqualTo(Long.parseLong(reply.header("X-RateLimit-Reset")));
  }

  @Test
  void usage_of_a_key_not_seen_yet_is_0_of_no_rule_404_and_without_a_parameter_400() {
    assertThat(usage("X-Customer", "stranger").path("used").intValue()).isZero();
    admin.get("/rate-limits/usage?key_header=X-Nothing&key_value=a").isError(404, "not_found");
    admin.get("/rate-limits/usage?key_header=X-Customer").isError(400, "invalid_request");
    admin.get("/rate-limits/usage?key_value=a").isError(400, "invalid_request");
  }

  @Test
  void usage_needs_admin() {
    admin
        .scoped("chat", "config")
        .get("/rate-limits/usage?key_header=X-Customer&key_value=a")
        .isError(403, "forbidden");
  }

  @Test
  void requests_refused_with_401_do_not_count() {
    Http stranger = new Http(engine.port(), "nonsense");
    for (int i = 0; i < 5; i++) {
      stranger
          .call("GET", "/agents", BodyPublishers.noBody(), Map.of("X-Customer", "fay"))
          .isError(401, "unauthorized");
    }
    assertThat(usage("X-Customer", "fay").path("used").intValue()).isZero();
  }
}
