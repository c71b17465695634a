package agentengine.turn;

import java.time.Duration;

/** How much a turn may take, and what it may do. */
public record TurnLimits(
    Duration turn, int concurrentTurns, int concurrentTasks, ToolLimits tools) {

  /**
   * What holds for a turn's tools.
   *
   * @param run how long a call may take unless the tool says otherwise
   * @param confirmation how long a person has to answer
   * @param spawnDepth how deep sub-agents may call sub-agents
   * @param outputCharacters how much of a tool's output a model is shown
   */
  public record ToolLimits(
      Duration run, Duration confirmation, int spawnDepth, int outputCharacters) {}

  public static final TurnLimits DEFAULT =
      new TurnLimits(
          Duration.ofMinutes(30),
          10_000,
          10,
          new ToolLimits(Duration.ofSeconds(60), Duration.ofHours(24), 5, 64 * 1024));
}
