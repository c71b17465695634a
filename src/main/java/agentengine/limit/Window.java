package agentengine.limit;

import org.jspecify.annotations.Nullable;

/**
 * What is known about one key of one limit. It begins with the first request in it and does not
 * move.
 *
 * @param tier of the last request
 * @param endsAt in milliseconds, by the limit that the last counted request was under
 */
record Window(String tier, long startedAt, long endsAt, int used) {
  /**
   * When it ends under a limit. A limit that was changed to a shorter window holds at once; a
   * window that was over does not come back when a limit is changed to a longer one.
   */
  long endsAt(Limit limit) {
    return Math.min(endsAt, startedAt + limit.windowMillis());
  }

  boolean isOpen(Limit limit, long now) {
    return now < endsAt(limit);
  }

  /** Whether one more request is possible. */
  static boolean admits(@Nullable Window window, Limit limit, long now) {
    return window == null || !window.isOpen(limit, now) || window.used < limit.requests();
  }

  /** The window after a request that was let through. */
  static Window counted(@Nullable Window window, Claim claim, long now) {
    long length = claim.limit().windowMillis();
    return window == null || !window.isOpen(claim.limit(), now)
        ? new Window(claim.tier(), now, now + length, 1)
        : new Window(claim.tier(), window.startedAt, window.startedAt + length, window.used + 1);
  }

  /** The window after a request that was refused: the same, seen in the tier of that request. */
  static @Nullable Window seen(@Nullable Window window, Claim claim, long now) {
    return window == null || !window.isOpen(claim.limit(), now) || window.tier.equals(claim.tier())
        ? window
        : new Window(claim.tier(), window.startedAt, window.endsAt, window.used);
  }
}
