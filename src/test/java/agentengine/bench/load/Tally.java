package agentengine.bench.load;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Adds up what all streams of a run see; the run's one thread is its only user. */
final class Tally {

  /** The counts that are compared at the two ends of the window. */
  record Counts(long tokens, long deltas, long turns) {}

  private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

  private final boolean recordTurns;
  private final GapHistogram gaps = new GapHistogram();
  private final List<Double> firstDeltaMillis = new ArrayList<>();
  private final List<Double> turnMillis = new ArrayList<>();
  private boolean inWindow;
  private long tokens;
  private long deltas;
  private long turns;
  private int failed;
  private int streamsEnded;
  private @Nullable String firstFailure;

  Tally(boolean recordTurns) {
    this.recordTurns = recordTurns;
  }

  void inWindow(boolean open) {
    inWindow = open;
  }

  Counts counts() {
    return new Counts(tokens, deltas, turns);
  }

  void arrived(int newTokens, int newDeltas) {
    tokens += newTokens;
    deltas += newDeltas;
  }

  /**
   * The silence before deltas arrived. Those that came in one read count once: otherwise a server
   * that holds back a hundred deltas would show no gaps at all.
   */
  void gap(long nanos) {
    if (inWindow) {
      gaps.record(nanos);
    }
  }

  void streamEnded() {
    streamsEnded++;
  }

  int streamsEnded() {
    return streamsEnded;
  }

  void turnEnded(long firstDeltaNanos, long turnNanos) {
    turns++;
    if (recordTurns) {
      firstDeltaMillis.add(firstDeltaNanos / NANOS_PER_MILLI);
      turnMillis.add(turnNanos / NANOS_PER_MILLI);
    }
  }

  void turnFailed(String reason) {
    failed++;
    if (firstFailure == null) {
      firstFailure = reason;
    }
  }

  Result result(
      Counts from, Counts to, double windowSeconds, int open, int unfinished, CpuTimes cpu) {
    return new Result(
        windowSeconds,
        to.tokens() - from.tokens(),
        to.deltas() - from.deltas(),
        to.turns() - from.turns(),
        open,
        failed,
        unfinished,
        firstFailure,
        gaps.percentileMillis(99),
        cpu,
        firstDeltaMillis,
        turnMillis);
  }
}
