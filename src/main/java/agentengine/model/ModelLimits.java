package agentengine.model;

import java.time.Duration;

/** How long a model call may take in each of its phases. */
public record ModelLimits(Duration connect, Duration firstToken, Duration stall) {
  public static final ModelLimits DEFAULT =
      new ModelLimits(Duration.ofSeconds(10), Duration.ofSeconds(120), Duration.ofSeconds(60));
}
