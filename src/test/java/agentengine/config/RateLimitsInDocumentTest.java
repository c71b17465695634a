package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class RateLimitsInDocumentTest {
  private static final String DOCUMENT =
      """
      version: 1
      rate_limits:
        per-customer:
          key_header: X-Customer
          tier_header: X-Plan
          default_tier: free
          tiers:
            free: {requests: 100, window: 1h}
            Pro_2: {requests: 5000, window: 90m}
      """;

  private final Definitions definitions;

  RateLimitsInDocumentTest(TestDatabases.Kind kind) {
    definitions = new Definitions(kind);
  }

  @AfterAll
  static void close() {
    Definitions.closeAll();
  }

  @Test
  void a_document_declares_rules_that_count_at_once() {
    definitions.apply(DOCUMENT);

    assertThat(definitions.rateLimits.current())
        .extracting(rule -> rule.toJson())
        .containsExactly(
            Json.parseObject(
                """
                {"name": "per-customer", "key_header": "X-Customer", "tier_header": "X-Plan",
                 "default_tier": "free",
                 "tiers": {"free": {"requests": 100, "window": "1h"},
                           "Pro_2": {"requests": 5000, "window": "1h30m"}}}
                """));
    assertThat(definitions.configuration.nothingIsDefined()).isFalse();
    assertThat(definitions.adminLog.list(1, 10).data().getFirst().action())
        .isEqualTo("rate_limit.created");
  }

  @Test
  void an_entry_replaces_the_rule_of_its_name_and_leaves_others_alone() {
    definitions.apply(DOCUMENT);

    definitions.apply(
        """
        version: 1
        rate_limits:
          another:
            {key_header: X-A, default_tier: a, tiers: {a: {requests: 1, window: 500ms}}}
        """);
    definitions.apply(DOCUMENT.replace("requests: 100", "requests: 7"));

    assertThat(definitions.rateLimits.current())
        .extracting(rule -> rule.name() + " " + rule.tierHeader() + " " + rule.tiers())
        .containsExactly(
            "another null {a=1 requests in 500ms}",
            "per-customer X-Plan {free=7 requests in 1h, Pro_2=5000 requests in 1h30m}");
  }

  @Test
  void what_is_wrong_with_a_rule_is_told_at_its_place_and_nothing_is_applied() {
    List<String> problems =
        definitions
            .refusal(
                """
                version: 1
                rate_limits:
                  default: {key_header: X-A, default_tier: a, tiers: {a: {requests: 1, window: 1s}}}
                  Not A Name: {key_header: X, default_tier: a, tiers: {a: {requests: 1, window: 1s}}}
                  empty: {}
                  secret:
                    key_header: authorization
                    tier_header: Cookie
                    default_tier: gold
                    tiers:
                      zero: {requests: 0, window: 0s}
                      negative: {requests: -5, window: 1m}
                      endless: {requests: 5, window: 32d}
                      nothing: {}
                      vague: {requests: many, window: a while, colour: blue}
                      'bad name': {requests: 1, window: 1s}
                  odd:
                    key_header: 'X A'
                    default_tier: a
                    tiers: {}
                    burst: 5
                  list: {key_header: X-A, default_tier: a, tiers: [a]}
                """)
            .stream()
            .map(problem -> problem.line() + " " + problem.path())
            .toList();

    assertThat(problems)
        .containsExactlyInAnyOrder(
            "3 rate_limits.default",
            "4 rate_limits.Not A Name",
            "5 rate_limits.empty.key_header",
            "5 rate_limits.empty.default_tier",
            "5 rate_limits.empty.tiers",
            "7 rate_limits.secret.key_header",
            "8 rate_limits.secret.tier_header",
            "9 rate_limits.secret.default_tier",
            "11 rate_limits.secret.tiers.zero.requests",
            "11 rate_limits.secret.tiers.zero.window",
            "12 rate_limits.secret.tiers.negative.requests",
            "13 rate_limits.secret.tiers.endless.window",
            "14 rate_limits.secret.tiers.nothing.requests",
            "14 rate_limits.secret.tiers.nothing.window",
            "15 rate_limits.secret.tiers.vague.requests",
            "15 rate_limits.secret.tiers.vague.window",
            "15 rate_limits.secret.tiers.vague.colour",
            "16 rate_limits.secret.tiers.bad name",
            "18 rate_limits.odd.key_header",
            "20 rate_limits.odd.tiers",
            "21 rate_limits.odd.burst",
            "22 rate_limits.list.tiers");
  }
}
