package agentengine.time;

import java.util.HashSet;
import java.util.Set;

/**
 * Somebody's wish that a piece of work ends; it reaches whatever the work waits for right now, on
 * however many threads it does so.
 */
public final class Cancellation {
  private volatile boolean requested;
  private final Set<Watchdog.Watch> current = new HashSet<>();

  public boolean isRequested() {
    return requested;
  }

  public synchronized void request() {
    requested = true;
    current.forEach(Watchdog.Watch::stop);
  }

  /** From here until {@link #leave}, a request ends the watched work at once. */
  public synchronized void enter(Watchdog.Watch watch) {
    current.add(watch);
    if (requested) {
      watch.stop();
    }
  }

  public synchronized void leave(Watchdog.Watch watch) {
    current.remove(watch);
  }
}
