package agentengine.turn;

import java.time.Duration;

/** How much a turn may take. */
public record TurnLimits(Duration turn, int concurrentTurns) {
  public static final TurnLimits DEFAULT = new TurnLimits(Duration.ofMinutes(30), 10_000);
}
