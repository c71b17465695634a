package agentengine.turn;

import agentengine.db.Database;
import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/**
 * The journal of a sub-agent's turn. Nobody follows it: its gates come up in the journal of the
 * root, its end is stored for the call that waits for it, and the rest is in its messages.
 */
final class SubJournal implements Journal {
  private final Database db;
  private final Journal root;
  private final TurnKey key;

  SubJournal(Database db, Journal root, TurnKey key) {
    this.db = db;
    this.root = root;
    this.key = key;
  }

  @Override
  public void commit(List<? extends TurnEvent.Durable> events, Consumer<Handle> work) {
    List<TurnEvent.ConfirmationAsked> gates =
        events.stream()
            .filter(TurnEvent.ConfirmationAsked.class::isInstance)
            .map(TurnEvent.ConfirmationAsked.class::cast)
            .toList();
    Consumer<Handle> whole =
        handle -> {
          work.accept(handle);
          events.stream().filter(TurnEvent::ends).forEach(end -> store(handle, end));
        };
    if (gates.isEmpty()) {
      db.write(
          handle -> {
            whole.accept(handle);
            return null;
          });
    } else {
      root.commit(gates, whole);
    }
  }

  private void store(Handle handle, TurnEvent end) {
    EventId id = new EventId(key.number(), key.attempt(), 1);
    TurnEvents.insert(handle, key.sessionId(), new LoggedEvent(id, end));
  }

  @Override
  public void tell(TurnEvent event) {}

  @Override
  public void wake() {}
}
