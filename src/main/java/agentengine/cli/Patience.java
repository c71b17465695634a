package agentengine.cli;

import java.time.Duration;
import java.util.List;

/**
 * How long the commands wait for an engine.
 *
 * @param silence how long a stream may be silent; the engine sends a heartbeat every 15 seconds
 * @param pauses before each try to take up a broken stream; there are as many tries as pauses
 */
record Patience(Duration connect, Duration answer, Duration silence, List<Duration> pauses) {
  /** Enough for an engine that restarts, or for another node that takes over. */
  static final Patience USUAL =
      new Patience(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          List.of(
              Duration.ofMillis(250),
              Duration.ofMillis(500),
              Duration.ofSeconds(1),
              Duration.ofSeconds(2),
              Duration.ofSeconds(4),
              Duration.ofSeconds(8),
              Duration.ofSeconds(16)));
}
