package agentengine.turn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The events of a turn in memory. The turn appends; any number of readers follow with a cursor of
 * their own, so a slow one costs nobody else anything.
 */
final class TurnLog {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition grown = lock.newCondition();
  private final List<LoggedEvent> events = new ArrayList<>();
  private boolean ended;

  /** Adds an event; readers see it at the next {@link #wake}, or sooner. */
  void append(LoggedEvent event) {
    lock.lock();
    try {
      events.add(event);
    } finally {
      lock.unlock();
    }
  }

  /** Adds events that readers see together. */
  void append(List<LoggedEvent> more) {
    lock.lock();
    try {
      events.addAll(more);
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the readers: all that is there should go out now. */
  void wake() {
    lock.lock();
    try {
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Nothing more comes. */
  void end() {
    lock.lock();
    try {
      ended = true;
      grown.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** A reader that starts behind an id, or at the beginning when there is none. */
  TurnReader readerAfter(@Nullable EventId last) {
    lock.lock();
    try {
      int cursor = 0;
      while (last != null
          && cursor < events.size()
          && events.get(cursor).id().compareTo(last) <= 0) {
        cursor++;
      }
      return new TurnReader(this, cursor);
    } finally {
      lock.unlock();
    }
  }

  /** The events from a cursor on; waits for one to come, the end, or the time to pass. */
  List<LoggedEvent> from(int cursor, Duration wait) throws InterruptedException {
    long left = wait.toNanos();
    lock.lock();
    try {
      while (cursor >= events.size() && !ended && left > 0) {
        left = grown.awaitNanos(left);
      }
      return List.copyOf(events.subList(Math.min(cursor, events.size()), events.size()));
    } finally {
      lock.unlock();
    }
  }

  boolean endedAt(int cursor) {
    lock.lock();
    try {
      return ended && cursor >= events.size();
    } finally {
      lock.unlock();
    }
  }

  /** Waits for the end. */
  boolean awaitEnd(Duration wait) throws InterruptedException {
    long left = TimeUnit.NANOSECONDS.convert(wait);
    lock.lock();
    try {
      while (!ended && left > 0) {
        left = grown.awaitNanos(left);
      }
      return ended;
    } finally {
      lock.unlock();
    }
  }
}
