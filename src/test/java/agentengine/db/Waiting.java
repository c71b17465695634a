package agentengine.db;

import java.util.function.BooleanSupplier;

/** Waits for what another thread is about to reach; the test's own time limit ends a vain wait. */
final class Waiting {
  private Waiting() {}

  static void until(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      Thread.onSpinWait();
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted while waiting");
      }
    }
  }

  static void untilBlocked(Thread thread) {
    until(() -> thread.getState() == Thread.State.WAITING);
  }
}
