package agentengine.torture;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/** Lets the killer wait for something that happens to one of the clients. */
final class Moments {
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Map<Moment, Long> times = new EnumMap<>(Moment.class);

  void now(Moment moment) {
    lock.lock();
    try {
      times.merge(moment, 1L, Long::sum);
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Returns when it happens the next time, or when the time is over. */
  void await(Moment moment, Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lock();
    try {
      long before = times.getOrDefault(moment, 0L);
      while (left > 0 && times.getOrDefault(moment, 0L) == before) {
        left = changed.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Lets a time pass that a test has drawn. */
  static void pass(long millis) throws InterruptedException {
    TimeUnit.MILLISECONDS.sleep(millis);
  }
}
