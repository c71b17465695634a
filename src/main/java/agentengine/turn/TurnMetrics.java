package agentengine.turn;

import agentengine.metric.Labelled;
import agentengine.metric.Timers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** What is counted of turns and of the tools they call. */
public final class TurnMetrics {
  private final MeterRegistry meters;
  private final Labelled<Counter> turns;
  private final Timer duration;
  private final Labelled<Counter> toolCalls;

  public TurnMetrics(MeterRegistry meters) {
    this.meters = meters;
    turns =
        Labelled.counters(
            meters,
            "engine.turns",
            "Turns that ended, those of sub-agents too",
            "agent",
            "outcome");
    duration =
        Timers.timer(
            meters,
            "engine.turn.duration",
            "Time that turns took, waiting for people included",
            Timers.seconds(0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1800));
    toolCalls =
        Labelled.counters(meters, "engine.tool.calls", "Tool calls that ended", "tool", "status");
  }

  void showRunning(Map<?, ?> running) {
    Gauge.builder("engine.turns.running", running, Map::size)
        .description("Turns that run or wait on this node, without those of sub-agents")
        .register(meters);
  }

  void turnEnded(String agent, TurnStatus outcome, long nanos) {
    turns.of(agent, outcome.name().toLowerCase(Locale.ROOT)).increment();
    duration.record(nanos, TimeUnit.NANOSECONDS);
  }

  void toolCallEnded(String tool, boolean completed) {
    toolCalls.of(tool, completed ? "completed" : "failed").increment();
  }
}
