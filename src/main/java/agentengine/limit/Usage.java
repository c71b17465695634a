package agentengine.limit;

import java.time.Instant;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** How far one key of one limit is used up. */
public record Usage(
    String rule, String key, String tier, int used, Limit limit, long resetsAtMillis) {
  /** The least left comes first, and of these the one that has to wait for the longest time. */
  static final Comparator<Usage> TIGHTEST_FIRST =
      Comparator.comparingInt(Usage::remaining)
          .thenComparing(Comparator.comparingLong(Usage::resetsAtMillis).reversed());

  private static final long MILLIS = 1_000;

  static Usage of(Claim claim, @Nullable Window window, long now) {
    Limit limit = claim.limit();
    int used = 0;
    long resetsAt = now + limit.windowMillis();
    if (window != null && window.isOpen(limit, now)) {
      used = window.used();
      resetsAt = window.endsAt(limit);
    }
    return new Usage(claim.rule(), claim.key(), claim.tier(), used, limit, resetsAt);
  }

  public int remaining() {
    return Math.max(0, limit.requests() - used);
  }

  /** The first full second, since 1970, in which the window is over. */
  public long resetSecond() {
    return Math.ceilDiv(resetsAtMillis, MILLIS);
  }

  /** The same second, so that everything that is told about a window agrees. */
  public Instant resetsAt() {
    return Instant.ofEpochSecond(resetSecond());
  }

  /** In how many full seconds the window is over. */
  long secondsLeft(long now) {
    return Math.max(1, Math.ceilDiv(resetsAtMillis - now, MILLIS));
  }
}
