package agentengine.db;

import agentengine.metric.Timers;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

/** How long the store takes for what it must keep. */
final class CommitTime {
  private CommitTime() {}

  static Timer timer(MeterRegistry meters) {
    return Timers.timer(
        meters,
        "engine.store.commit",
        "Time of a transaction to the moment it is on disk; on SQLite one serves many writers",
        Timers.seconds(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5));
  }
}
