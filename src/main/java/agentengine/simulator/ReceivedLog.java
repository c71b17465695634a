package agentengine.simulator;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/** The last requests, bounded in number and size, and a way to wait for one. */
final class ReceivedLog {
  private static final int MAX_REQUESTS = 1_000;
  private static final int MAX_BYTES = 32 * 1024 * 1024;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Deque<Received> requests = new ArrayDeque<>();
  private long bytes;

  void add(Received request) {
    change(
        () -> {
          requests.addLast(request);
          bytes += request.size();
          while (requests.size() > MAX_REQUESTS || bytes > MAX_BYTES) {
            bytes -= requests.removeFirst().size();
          }
        });
  }

  void clientLeft(Received request) {
    change(request::markClientLeft);
  }

  void ended(Received request) {
    change(request::markEnded);
  }

  List<Received> all() {
    lock.lock();
    try {
      return List.copyOf(requests);
    } finally {
      lock.unlock();
    }
  }

  /** The first request that is so, now or within the time. */
  Received await(Predicate<Received> wanted, Duration time) {
    lock.lock();
    try {
      long left = time.toNanos();
      while (true) {
        for (Received request : requests) {
          if (wanted.test(request)) {
            return request;
          }
        }
        if (left <= 0) {
          throw new IllegalStateException(
              "No such request within " + time + "; there are " + requests.size() + " others");
        }
        left = changed.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a request", e);
    } finally {
      lock.unlock();
    }
  }

  private void change(Runnable step) {
    lock.lock();
    try {
      step.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }
}
