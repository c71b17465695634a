package agentengine.bench.load;

import agentengine.bench.model.Script;
import java.util.List;

/**
 * One load to put on one target.
 *
 * @param streams connections, each running one turn after another
 * @param turnsPerStream how many turns each runs; 0 means until the window closes
 * @param oneSession whether the turns of a connection continue one session
 * @param rampMillis the time over which the connections are opened, evenly
 * @param warmupMillis the time from the last connection to the opening of the measuring window
 * @param windowMillis how long the window is open, at most; it closes early when all turns are done
 * @param recordTurns whether every turn's times are returned: for few turns only
 * @param pids processes whose CPU time in the window is wanted
 */
public record Scenario(
    Target target,
    Script script,
    int streams,
    int turnsPerStream,
    boolean oneSession,
    long rampMillis,
    long warmupMillis,
    long windowMillis,
    boolean recordTurns,
    List<Long> pids) {

  /** Turn after turn on each connection until the window closes. */
  public static Scenario repeated(
      Target target, Script script, int streams, long warmupMillis, long windowMillis) {
    return new Scenario(
        target, script, streams, 0, false, 0, warmupMillis, windowMillis, false, List.of());
  }

  /** So many turns, one at a time, each of them recorded. */
  public static Scenario oneByOne(
      Target target, Script script, int turns, boolean oneSession, long atMostMillis) {
    return new Scenario(target, script, 1, turns, oneSession, 0, 0, atMostMillis, true, List.of());
  }

  /** One paced turn on each connection, long enough to last until the window closes. */
  public static Scenario paced(
      Target target,
      int pauseMillis,
      int streams,
      long rampMillis,
      long warmupMillis,
      long windowMillis) {
    // A second more than needed: the first streams must not end before the window does.
    long lastsMillis = rampMillis + warmupMillis + windowMillis + 1_000;
    Script script = new Script((int) (lastsMillis / pauseMillis) + 1, pauseMillis);
    return new Scenario(
        target,
        script,
        streams,
        1,
        false,
        rampMillis,
        warmupMillis,
        windowMillis,
        false,
        List.of());
  }

  /** The same load, with the CPU time of these processes measured. */
  public Scenario measuring(List<Long> processIds) {
    return new Scenario(
        target,
        script,
        streams,
        turnsPerStream,
        oneSession,
        rampMillis,
        warmupMillis,
        windowMillis,
        recordTurns,
        processIds);
  }
}
