package agentengine.time;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends blocking work that has outlived its deadline by interrupting its thread, which on a virtual
 * thread closes the socket it waits on. One thread looks at all deadlines a few times a second, so
 * moving a deadline costs one write to a field.
 */
public final class Watchdog implements AutoCloseable {
  private static final Duration PERIOD = Duration.ofMillis(100);

  private final Set<Watch> watches = ConcurrentHashMap.newKeySet();
  private final Thread ticker;
  private volatile boolean closed;

  public Watchdog() {
    ticker = Thread.ofPlatform().daemon().name("watchdog").start(this::tick);
  }

  private void tick() {
    while (!closed) {
      LockSupport.parkNanos(PERIOD.toNanos());
      long now = System.nanoTime();
      watches.removeIf(watch -> watch.endIfOverdue(now));
    }
  }

  /** Watches what the calling thread does until the watch is closed. */
  public Watch watch(Duration limit) {
    Watch watch = new Watch(limit);
    watches.add(watch);
    return watch;
  }

  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(ticker);
  }

  /** Why a watched piece of work was ended from outside. */
  public enum Ending {
    EXPIRED,
    STOPPED
  }

  /** One watched piece of work; opened and closed by the thread that does it. */
  public final class Watch implements AutoCloseable {
    private final Thread worker = Thread.currentThread();
    private volatile long deadlineNanos;
    private volatile @Nullable Ending ending;
    private boolean open = true;

    private Watch(Duration limit) {
      extend(limit);
    }

    /** Sets the deadline anew, counted from now. */
    public void extend(Duration limit) {
      deadlineNanos = System.nanoTime() + limit.toNanos();
    }

    /** Ends the work now; callable from any thread. */
    public void stop() {
      end(Ending.STOPPED);
    }

    /** Why the work was ended, or null when nobody ended it. */
    public @Nullable Ending ending() {
      return ending;
    }

    private boolean endIfOverdue(long now) {
      boolean overdue = now - deadlineNanos > 0;
      if (overdue) {
        end(Ending.EXPIRED);
      }
      return overdue;
    }

    private synchronized void end(Ending why) {
      if (open && ending == null) {
        ending = why;
        worker.interrupt();
      }
    }

    @Override
    public void close() {
      watches.remove(this);
      synchronized (this) {
        open = false;
        if (ending != null) {
          // The interrupt was meant for the watched work only, not for what the thread does next.
          boolean _ = Thread.interrupted();
        }
      }
    }
  }
}
