package agentengine.turn;

import agentengine.db.Database;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/**
 * The journal of a turn that clients follow. Several tools may end at once, yet events have one
 * order: an event gets its id, is committed and told before the next one gets its own, so a client
 * that has seen an id has seen all before it.
 */
final class RootJournal implements Journal {
  private final Database db;
  private final TurnKey key;
  private final TurnLog log;
  private final ReentrantLock lock = new ReentrantLock();
  private int lastEvent;

  RootJournal(Database db, TurnKey key, TurnLog log) {
    this.db = db;
    this.key = key;
    this.log = log;
  }

  @Override
  public void commit(List<? extends TurnEvent.Durable> events, Consumer<Handle> work) {
    lock.lock();
    try {
      List<LoggedEvent> logged = new ArrayList<>(events.size());
      for (TurnEvent event : events) {
        logged.add(new LoggedEvent(nextId(), event));
      }
      db.write(
          handle -> {
            work.accept(handle);
            logged.forEach(event -> TurnEvents.insert(handle, key.sessionId(), event));
            return null;
          });
      log.append(logged);
      log.wake();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void tell(TurnEvent event) {
    lock.lock();
    try {
      log.append(new LoggedEvent(nextId(), event));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void wake() {
    log.wake();
  }

  private EventId nextId() {
    return new EventId(key.number(), key.attempt(), ++lastEvent);
  }
}
