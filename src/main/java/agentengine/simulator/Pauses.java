package agentengine.simulator;

import java.time.Duration;

/** The pauses of one answer, which last ten minutes together and then no longer happen. */
final class Pauses {
  static final Duration MAX = Duration.ofMinutes(10);

  private final ClientWatch client;
  private Duration left = MAX;
  private long pieceDueNanos;
  private boolean pacing;

  Pauses(ClientWatch client) {
    this.client = client;
  }

  void pause(Duration wanted) {
    pacing = false;
    sleep(wanted);
  }

  /** A pause before a piece; a late piece does not delay the next, so that the rate is kept. */
  void pace(Duration gap) {
    long now = System.nanoTime();
    pieceDueNanos = (pacing ? pieceDueNanos : now) + gap.toNanos();
    pacing = true;
    sleep(Duration.ofNanos(Math.max(0, pieceDueNanos - now)));
  }

  private void sleep(Duration wanted) {
    Duration granted = wanted.compareTo(left) < 0 ? wanted : left;
    left = left.minus(granted);
    client.pause(granted);
  }
}
