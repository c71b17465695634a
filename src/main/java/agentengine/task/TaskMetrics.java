package agentengine.task;

import agentengine.db.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How many tasks there are in each status, in the whole store. Counting takes the longer the more
 * there are, so a count is kept for a while, and the longer the more it cost: whoever looks, and
 * however often, the store spends at most a hundredth of its time on it.
 */
public final class TaskMetrics {
  private static final Logger LOG = System.getLogger(TaskMetrics.class.getName());
  private static final long KEPT_AT_LEAST = Duration.ofSeconds(2).toNanos();
  private static final int KEPT_FOR_COST = 100;

  private final Supplier<Map<TaskStatus, Long>> count;
  private final LongSupplier nanoTime;
  private @Nullable Map<TaskStatus, Long> counts;
  private boolean counted;
  private long keptUntil;

  TaskMetrics(Supplier<Map<TaskStatus, Long>> count, LongSupplier nanoTime) {
    this.count = count;
    this.nanoTime = nanoTime;
  }

  public static void show(MeterRegistry meters, Database db, TaskStore store) {
    TaskMetrics metrics = new TaskMetrics(() -> db.read(store::counts), System::nanoTime);
    for (TaskStatus status : TaskStatus.values()) {
      Gauge.builder("engine.tasks", () -> metrics.inStatus(status))
          .description("Tasks in the store, which all its nodes share")
          .tag("status", status.wireName())
          .register(meters);
    }
  }

  /** The number of tasks; not a number while the store does not answer. */
  synchronized double inStatus(TaskStatus status) {
    if (!counted || nanoTime.getAsLong() - keptUntil >= 0) {
      countAgain();
    }
    return counts == null ? Double.NaN : counts.getOrDefault(status, 0L);
  }

  private void countAgain() {
    long start = nanoTime.getAsLong();
    try {
      counts = count.get();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "the tasks could not be counted for the metrics", e);
      counts = null;
    }
    counted = true;
    long end = nanoTime.getAsLong();
    keptUntil = end + Math.max(KEPT_AT_LEAST, (end - start) * KEPT_FOR_COST);
  }
}
