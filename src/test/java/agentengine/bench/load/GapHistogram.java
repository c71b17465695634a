package agentengine.bench.load;

/**
 * Counts gaps in steps of 0.1 ms up to 20 s: exact enough for a p99, and an increment to record.
 */
final class GapHistogram {

  private static final long STEP_NANOS = 100_000;
  private static final double STEPS_PER_MILLI = 10;

  private final long[] counts = new long[200_000];
  private long total;

  void record(long nanos) {
    counts[Math.clamp(nanos / STEP_NANOS, 0, counts.length - 1)]++;
    total++;
  }

  double percentileMillis(double percentile) {
    long wanted = (long) Math.ceil(total * percentile / 100);
    long seen = 0;
    for (int step = 0; step < counts.length; step++) {
      seen += counts[step];
      if (seen >= wanted && seen > 0) {
        return (step + 1) / STEPS_PER_MILLI;
      }
    }
    return Double.NaN;
  }
}
