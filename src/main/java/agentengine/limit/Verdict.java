package agentengine.limit;

/**
 * Whether a request is let through, and what the limit with the least left says after it.
 *
 * @param retryAfterSeconds in how many seconds that limit's window is over
 */
public record Verdict(boolean admitted, Usage tightest, long retryAfterSeconds) {
  static Verdict of(boolean admitted, Usage tightest, long now) {
    return new Verdict(admitted, tightest, tightest.secondsLeft(now));
  }
}
