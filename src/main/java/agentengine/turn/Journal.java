package agentengine.turn;

import java.util.List;
import java.util.function.Consumer;
import org.jdbi.v3.core.Handle;

/** Where a turn writes down what it did: first in the store, then for its clients. */
interface Journal {
  /** One transaction that does the work and stores the events; then they are told. */
  void commit(List<? extends TurnEvent.Durable> events, Consumer<Handle> work);

  /** Tells an event that is not worth storing. */
  void tell(TurnEvent event);

  /** All that was told should go out now. */
  void wake();
}
