package agentengine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever comes, and whenever, the counts say what the simplest model says. */
@ParameterizedClass
@EnumSource
class CountsPropertyTest {
  private static final long FIRST_SEED = 20_261_115;
  private static final int STEPS = 60;
  private static final int LENGTH = 1_000;

  private final TestDatabases.Fresh fresh;
  private final Counts counts;
  private final int rounds;
  private long now = 1_772_366_400_250L;

  CountsPropertyTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    counts =
        switch (kind) {
          case SQLITE -> new MemoryCounts(1_000_000);
          case POSTGRES -> new SharedCounts(fresh.open());
        };
    rounds = kind == TestDatabases.Kind.SQLITE ? 20_000 : 40;
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void at_every_edge_of_a_window_exactly_what_fits_is_let_through() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + rounds; seed++) {
      try {
        round(new Random(seed), "r" + seed);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  private void round(Random random, String prefix) {
    WindowModel model = new WindowModel();
    for (int step = 0; step < STEPS; step++) {
      now += pause(random);
      List<Claim> claims = claims(random, prefix);
      boolean admitted = model.count(claims, now);

      Verdict verdict = counts.count(claims, now);

      assertThat(verdict.admitted()).as("step " + step).isEqualTo(admitted);
      checkTightest(verdict, model, claims);
      if (random.nextInt(10) == 0) {
        counts.forget(now);
      }
    }
  }

  /** The last instant of a window, the first after it, and some in between. */
  private static long pause(Random random) {
    return switch (random.nextInt(8)) {
      case 0 -> LENGTH;
      case 1 -> LENGTH - 1;
      case 2 -> 1;
      case 3 -> random.nextInt(LENGTH);
      case 4 -> 3 * LENGTH;
      default -> 0;
    };
  }

  /** One to three limits with a few keys and tiers, so that they often meet. */
  private static List<Claim> claims(Random random, String prefix) {
    List<Claim> claims = new ArrayList<>();
    int many = random.nextInt(1, 4);
    for (int i = 0; i < many; i++) {
      int tier = random.nextInt(3);
      Limit limit = new Limit(2 + 2 * tier, Duration.ofMillis(tier == 2 ? 3 * LENGTH : LENGTH));
      claims.add(new Claim(prefix + i, "key" + random.nextInt(2), "tier" + tier, limit));
    }
    return claims;
  }

  private void checkTightest(Verdict verdict, WindowModel model, List<Claim> claims) {
    Claim expected =
        claims.stream()
            .min(
                Comparator.<Claim>comparingInt(claim -> left(model, claim))
                    .thenComparingLong(claim -> -model.end(claim, now)))
            .orElseThrow();
    Usage usage = verdict.tightest();
    assertThat(usage.remaining()).isEqualTo(left(model, expected));
    assertThat(usage.resetsAtMillis()).isEqualTo(model.end(expected, now)).isGreaterThan(now);
    assertThat(usage.resetSecond() * 1_000 - usage.resetsAtMillis()).isBetween(0L, 999L);
    long wait = verdict.retryAfterSeconds() * 1_000;
    assertThat(wait).isBetween(1_000L, usage.limit().window().toMillis());
    assertThat(now + wait - usage.resetsAtMillis()).isBetween(0L, 999L);
  }

  private int left(WindowModel model, Claim claim) {
    return Math.max(0, claim.limit().requests() - model.used(claim, now));
  }
}
