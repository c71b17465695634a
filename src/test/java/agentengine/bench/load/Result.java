package agentengine.bench.load;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a load found out. Counts are of the measuring window, except failures, which are of the run.
 *
 * @param tokens tokens that arrived; an event may carry several
 * @param deltas events that carried them
 * @param turns turns that ended, complete and well
 * @param open streams that were in the middle of a turn when the window closed
 * @param failed turns that ended with anything but the whole answer
 * @param unfinished turns still running when the client gave up waiting, well after the window
 * @param gapP99Millis 99th percentile of the silence before deltas of a stream arrive
 * @param cpu CPU time of the wanted processes and of the machine
 * @param firstDeltaMillis by turn, when turns are recorded
 * @param turnMillis by turn, when turns are recorded
 */
public record Result(
    double windowSeconds,
    long tokens,
    long deltas,
    long turns,
    int open,
    int failed,
    int unfinished,
    @Nullable String firstFailure,
    double gapP99Millis,
    CpuTimes cpu,
    List<Double> firstDeltaMillis,
    List<Double> turnMillis) {

  public double tokensPerSecond() {
    return tokens / windowSeconds;
  }

  public double turnsPerSecond() {
    return turns / windowSeconds;
  }

  /** The share of the tokens that so many streams at this pace should have brought. */
  public double deliveredShare(int streams, int pauseMillis) {
    return tokens / (streams * windowSeconds * 1000.0 / pauseMillis);
  }
}
