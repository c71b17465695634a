package agentengine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class CountsTest {
  private static final long NOW = 1_772_366_400_000L;
  private static final Limit MINUTE_OF_500 = new Limit(500, Duration.ofMinutes(1));
  private static final Limit HOUR_OF_300 = new Limit(300, Duration.ofHours(1));

  private final TestDatabases.Fresh fresh;
  private final List<Counts> nodes;

  /** In memory there is one node; on PostgreSQL there are two. */
  CountsTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    nodes =
        switch (kind) {
          case SQLITE -> List.of(new MemoryCounts(1_000));
          case POSTGRES -> List.of(new SharedCounts(fresh.open()), new SharedCounts(fresh.open()));
        };
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void of_1000_at_once_exactly_500_are_let_through_and_each_is_told_another_number() {
    List<Claim> claims = List.of(claim("one", "key", MINUTE_OF_500));

    List<Verdict> verdicts = atOnce(1_000, claims);

    assertThat(verdicts)
        .filteredOn(Verdict::admitted)
        .extracting(verdict -> verdict.tightest().remaining())
        .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 500).boxed().toList());
    assertThat(verdicts)
        .filteredOn(verdict -> !verdict.admitted())
        .allSatisfy(verdict -> assertThat(verdict.tightest().remaining()).isZero());
    assertThat(verdicts)
        .allSatisfy(
            verdict -> assertThat(verdict.tightest().resetsAtMillis()).isEqualTo(NOW + 60_000));
    assertThat(used("one", "key")).isEqualTo(500);
  }

  @Test
  void what_one_limit_refuses_is_not_counted_by_the_others_however_many_come_at_once() {
    List<Claim> oneOrder =
        List.of(claim("wide", "key", MINUTE_OF_500), claim("tight", "key", HOUR_OF_300));
    List<Claim> otherOrder = oneOrder.reversed();

    List<Verdict> verdicts = atOnce(800, oneOrder, otherOrder);

    assertThat(verdicts).filteredOn(Verdict::admitted).hasSize(300);
    assertThat(used("tight", "key")).isEqualTo(300);
    assertThat(used("wide", "key")).isEqualTo(300);
  }

  @Test
  void of_two_limits_that_both_refuse_the_one_that_lasts_longer_is_told() {
    Limit minute = new Limit(1, Duration.ofMinutes(1));
    Limit hour = new Limit(1, Duration.ofHours(1));
    Counts counts = nodes.getFirst();
    counts.count(List.of(claim("a", "key", hour), claim("b", "key", minute)), NOW);

    for (List<Claim> claims :
        List.of(
            List.of(claim("a", "key", hour), claim("b", "key", minute)),
            List.of(claim("b", "key", minute), claim("a", "key", hour)))) {
      Verdict verdict = counts.count(claims, NOW + 1);
      assertThat(verdict.admitted()).isFalse();
      assertThat(verdict.tightest().rule()).isEqualTo("a");
      assertThat(verdict.retryAfterSeconds()).isEqualTo(3_600);
    }
  }

  @Test
  void a_refused_request_leaves_an_unused_limit_unused() {
    Limit one = new Limit(1, Duration.ofMinutes(1));
    Counts counts = nodes.getFirst();
    counts.count(List.of(claim("z", "busy", one)), NOW);

    Verdict verdict =
        counts.count(List.of(claim("a", "fresh", HOUR_OF_300), claim("z", "busy", one)), NOW);

    assertThat(verdict.admitted()).isFalse();
    assertThat(verdict.tightest().rule()).isEqualTo("z");
    assertThat(used("a", "fresh")).isZero();
  }

  @Test
  void a_refused_request_in_another_tier_is_remembered_but_not_counted() {
    Limit free = new Limit(2, Duration.ofMinutes(1));
    Counts counts = nodes.getFirst();
    counts.count(List.of(new Claim("r", "key", "pro", MINUTE_OF_500)), NOW);
    counts.count(List.of(new Claim("r", "key", "pro", MINUTE_OF_500)), NOW);

    Verdict verdict = counts.count(List.of(new Claim("r", "key", "free", free)), NOW + 5);

    assertThat(verdict.admitted()).isFalse();
    assertThat(counts.find("r", "key")).isEqualTo(new Window("free", NOW, NOW + 60_000, 2));
  }

  @Test
  void keys_whose_window_is_over_are_dropped_and_others_are_not() {
    Counts counts = nodes.getFirst();
    counts.count(List.of(claim("r", "short", MINUTE_OF_500)), NOW);
    counts.count(List.of(claim("r", "long", HOUR_OF_300)), NOW);

    counts.forget(NOW + 59_999);
    assertThat(used("r", "short")).isEqualTo(1);
    counts.forget(NOW + Duration.ofMinutes(3).toMillis());

    assertThat(counts.find("r", "short")).isNull();
    assertThat(used("r", "long")).isEqualTo(1);
  }

  @Test
  void dropping_a_key_just_when_its_next_window_begins_lets_nothing_more_through() {
    Limit five = new Limit(5, Duration.ofMinutes(1));
    for (int round = 0; round < 50; round++) {
      long now = NOW + Duration.ofMinutes(3).toMillis() * round;
      List<Verdict> verdicts =
          concurrently(
              20,
              i -> {
                Counts node = nodes.get(i % nodes.size());
                node.forget(now);
                Verdict verdict = node.count(List.of(claim("r", "key", five)), now);
                node.forget(now);
                return verdict;
              });

      assertThat(verdicts).as("round " + round).filteredOn(Verdict::admitted).hasSize(5);
    }
  }

  private int used(String rule, String key) {
    List<Integer> everywhere = new ArrayList<>();
    for (Counts node : nodes) {
      Window window = node.find(rule, key);
      everywhere.add(window == null ? 0 : window.used());
    }
    assertThat(everywhere).as("what the nodes say").containsOnly(everywhere.getFirst());
    return everywhere.getFirst();
  }

  @SafeVarargs
  private List<Verdict> atOnce(int many, List<Claim>... variants) {
    return concurrently(
        many, i -> nodes.get(i % nodes.size()).count(variants[i % variants.length], NOW));
  }

  @FunctionalInterface
  private interface Request {
    Verdict send(int number);
  }

  private static List<Verdict> concurrently(int many, Request request) {
    List<Future<Verdict>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < many; i++) {
        int number = i;
        running.add(threads.submit(() -> request.send(number)));
      }
    }
    return running.stream().map(Future::resultNow).toList();
  }

  private static Claim claim(String rule, String key, Limit limit) {
    return new Claim(rule, key, "tier", limit);
  }
}
