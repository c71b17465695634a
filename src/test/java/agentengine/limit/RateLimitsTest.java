package agentengine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.AdminLog;
import agentengine.auth.Caller;
import agentengine.auth.Scope;
import agentengine.db.Database;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class RateLimitsTest {
  private static final Caller TOKEN = new Caller("token:one", Set.of(Scope.CHAT));
  private static final Caller OTHER_TOKEN = new Caller("token:two", Set.of(Scope.CHAT));
  private static final Caller JWT = new Caller("somebody", Set.of(Scope.CHAT));
  private static final Map<String, String> NO_HEADERS = Map.of();

  private final TestDatabases.Fresh fresh;
  private final Database db;
  private final ManualClock clock = new ManualClock();
  private final RateLimitRules rules;
  private final RateLimits limits;
  private volatile Limit defaultLimit = limit(3, Duration.ofMinutes(1));

  RateLimitsTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    db = fresh.open();
    rules = new RateLimitRules(db, new AdminLog(db, clock));
    limits = new RateLimits(db, rules, () -> defaultLimit, clock, new SimpleMeterRegistry());
  }

  @AfterEach
  void close() {
    limits.close();
    fresh.close();
  }

  @Test
  void each_api_token_has_a_count_of_its_own_and_a_jwt_has_none() {
    for (int left = 2; left >= 0; left--) {
      assertThat(ask(TOKEN).tightest().remaining()).isEqualTo(left);
    }

    assertThat(ask(TOKEN).admitted()).isFalse();
    assertThat(ask(OTHER_TOKEN).admitted()).isTrue();
    assertThat(limits.count(JWT, NO_HEADERS::get)).isNull();
  }

  @Test
  void a_window_begins_with_its_first_request_and_ends_for_all_of_them_at_once() {
    ask(TOKEN);
    clock.advance(59_000);
    ask(TOKEN);
    Verdict last = ask(TOKEN);
    assertThat(last.tightest().remaining()).isZero();
    clock.advance(999);
    Verdict refused = ask(TOKEN);

    assertThat(refused.admitted()).isFalse();
    assertThat(refused.retryAfterSeconds()).isEqualTo(1);
    clock.advance(1);
    assertThat(ask(TOKEN).tightest().remaining()).isEqualTo(2);
  }

  @Test
  void a_changed_limit_holds_at_once_and_keeps_the_count() {
    for (int i = 0; i < 4; i++) {
      ask(TOKEN);
    }
    clock.advance(10_000);

    defaultLimit = limit(5, Duration.ofMinutes(1));
    assertThat(ask(TOKEN).tightest().remaining()).isEqualTo(1);
    defaultLimit = limit(2, Duration.ofMinutes(1));
    Verdict refused = ask(TOKEN);
    assertThat(refused.admitted()).isFalse();
    assertThat(refused.tightest().used()).isEqualTo(4);
    assertThat(refused.tightest().limit()).isEqualTo(defaultLimit);
    assertThat(refused.retryAfterSeconds()).isEqualTo(50);

    defaultLimit = limit(2, Duration.ofSeconds(10));
    assertThat(ask(TOKEN).tightest().remaining()).isEqualTo(1);
  }

  @Test
  void a_window_that_was_over_does_not_come_back_when_the_limit_gets_longer() {
    for (int i = 0; i < 3; i++) {
      ask(TOKEN);
    }
    clock.advance(60_000);

    defaultLimit = limit(3, Duration.ofHours(1));

    assertThat(ask(TOKEN).tightest().remaining()).isEqualTo(2);
  }

  @Test
  void a_rule_counts_whoever_carries_its_header_and_nobody_else() {
    put("per-customer", "X-Customer", "free: {requests: 2, window: 1h}");

    assertThat(ask(JWT, "x-customer", "acme").tightest().remaining()).isEqualTo(1);
    assertThat(ask(TOKEN, "X-CUSTOMER", " acme ").tightest().rule()).isEqualTo("per-customer");
    assertThat(ask(JWT, "X-Customer", "acme").admitted()).isFalse();
    assertThat(ask(JWT, "X-Customer", "other").admitted()).isTrue();
    assertThat(limits.count(JWT, NO_HEADERS::get)).isNull();
    assertThat(limits.count(JWT, headers("X-Customer", " ")::get)).isNull();
  }

  @Test
  void a_changed_tier_keeps_the_count_and_an_unknown_one_is_the_default() {
    put("r", "X-Key", "free: {requests: 2, window: 1h}, pro: {requests: 5, window: 1h}");

    assertThat(ask(JWT, "X-Key", "k", "X-Tier", "nonsense").tightest().tier()).isEqualTo("free");
    assertThat(ask(JWT, "X-Key", "k").tightest().remaining()).isZero();
    assertThat(ask(JWT, "X-Key", "k", "x-tier", "free").admitted()).isFalse();
    Verdict pro = ask(JWT, "X-Key", "k", "X-Tier", "pro");
    assertThat(pro.tightest().remaining()).isEqualTo(2);
    assertThat(usage("x-key", "k")).isEqualTo(pro.tightest());
    Verdict refused = ask(JWT, "X-Key", "k", "X-Tier", "free");
    assertThat(refused.admitted()).isFalse();
    assertThat(usage("X-Key", "k")).isEqualTo(refused.tightest());
    assertThat(refused.tightest().used()).isEqualTo(3);
  }

  @Test
  void of_several_limits_the_one_with_the_least_left_is_told_and_any_refuses() {
    put("small", "X-Key", "free: {requests: 2, window: 1h}");
    put("large", "X-Key", "free: {requests: 100, window: 1h}");

    assertThat(ask(TOKEN, "X-Key", "k").tightest().rule()).isEqualTo("small");
    assertThat(ask(TOKEN, "X-Key", "other").tightest().rule()).isEqualTo("small");
    assertThat(ask(TOKEN, "X-Key", "third").tightest().rule()).isEqualTo(RateLimits.DEFAULT);
    assertThat(ask(TOKEN, "X-Key", "k").admitted()).isFalse();
    assertThat(ask(JWT, "X-Key", "k").admitted()).isTrue();
    assertThat(usage("X-Key", "k").rule()).isEqualTo("small");
    assertThat(usage("X-Key", "k").used()).isEqualTo(2);
  }

  @Test
  void a_key_that_was_not_seen_has_used_nothing_in_a_window_that_would_begin_now() {
    put("r", "X-Key", "free: {requests: 2, window: 1h}, pro: {requests: 5, window: 1m}");

    Usage unseen = usage("X-Key", "nobody");
    assertThat(unseen.used()).isZero();
    assertThat(unseen.tier()).isEqualTo("free");
    assertThat(unseen.resetsAt()).isEqualTo(clock.instant().plusMillis(3_600_750));
    ask(JWT, "X-Key", "nobody", "X-Tier", "pro");
    clock.advance(60_000);
    assertThat(usage("X-Key", "nobody").tier()).isEqualTo("free");
    assertThat(limits.usage("X-Other", "nobody")).isEmpty();
  }

  @Test
  void another_node_learns_of_a_rule_by_itself() throws InterruptedException {
    if (!db.shared()) {
      return;
    }
    Database node = fresh.open();
    RateLimitRules there = new RateLimitRules(node, new AdminLog(node, clock));
    RateLimits others =
        new RateLimits(node, there, () -> defaultLimit, clock, new SimpleMeterRegistry());
    try (others) {
      put("r", "X-Key", "free: {requests: 2, window: 1h}");
      ask(JWT, "X-Key", "k");

      long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
      while (there.current().isEmpty()) {
        assertThat(System.nanoTime()).isLessThan(deadline);
        Thread.sleep(20);
      }
      assertThat(others.usage("X-Key", "k").orElseThrow().used()).isEqualTo(1);
    }
  }

  private void put(String name, String keyHeader, String tiers) {
    String json =
        "{'key_header': '%s', 'tier_header': 'X-Tier', 'default_tier': 'free', 'tiers': {%s}}"
            .formatted(
                keyHeader, tiers.replaceAll("(\\w+):", "'$1':").replaceAll("(\\d[hm])", "'$1'"))
            .replace('\'', '"');
    RateLimitRule rule = RateLimitRule.read(name, Fields.of(Json.parse(json)));
    db.write(
        handle -> {
          rules.put(handle, "tester", rule);
          return null;
        });
    rules.refresh();
  }

  private Usage usage(String header, String value) {
    return limits.usage(header, value).orElseThrow();
  }

  private Verdict ask(Caller caller, String... headers) {
    Verdict verdict = limits.count(caller, headers(headers)::get);
    if (verdict == null) {
      throw new AssertionError("no limit applies");
    }
    return verdict;
  }

  private static Map<String, @Nullable String> headers(String... namesAndValues) {
    Map<String, @Nullable String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 0; i < namesAndValues.length; i += 2) {
      headers.put(namesAndValues[i], namesAndValues[i + 1]);
    }
    return headers;
  }

  private static Limit limit(int requests, Duration window) {
    return new Limit(requests, window);
  }
}
