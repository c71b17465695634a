package agentengine.time;

import org.jspecify.annotations.Nullable;

/** Somebody's wish that a piece of work ends; it reaches whatever the work waits for right now. */
public final class Cancellation {
  private volatile boolean requested;
  private Watchdog.@Nullable Watch current;

  public boolean isRequested() {
    return requested;
  }

  public synchronized void request() {
    requested = true;
    if (current != null) {
      current.stop();
    }
  }

  /** From here until {@link #leave}, a request ends the watched work at once. */
  public synchronized void enter(Watchdog.Watch watch) {
    current = watch;
    if (requested) {
      watch.stop();
    }
  }

  public synchronized void leave() {
    current = null;
  }
}
