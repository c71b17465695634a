package agentengine.turn;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A turn that does not run in this process, followed through what it committed. */
final class StoredTurn {
  private final TurnServices services;
  private final String sessionId;
  private final int number;

  StoredTurn(TurnServices services, String sessionId, int number) {
    this.services = services;
    this.sessionId = sessionId;
    this.number = number;
  }

  TurnReader reader(@Nullable EventId last) {
    TurnLog log = new TurnLog();
    List<LoggedEvent> events = events();
    events.forEach(log::append);
    if (isOver(events)) {
      log.end();
    } else {
      Thread.ofVirtual()
          .name("following-" + sessionId)
          .start(() -> new Following(log, events.size()).run());
    }
    return log.readerAfter(last);
  }

  private List<LoggedEvent> events() {
    return services.db().read(handle -> TurnEvents.of(handle, sessionId, number));
  }

  private static boolean isOver(List<LoggedEvent> events) {
    return !events.isEmpty() && events.getLast().event().ends();
  }

  /** Another node runs the turn: its durable events appear in the store one by one. */
  private final class Following implements Runnable {
    private static final long PERIOD_MILLIS = 300;
    private static final int MAX_ROUNDS = 24 * 60 * 60 * 1000 / 300;

    private final TurnLog log;
    private int seen;

    Following(TurnLog log, int seen) {
      this.log = log;
      this.seen = seen;
    }

    @Override
    public void run() {
      try {
        for (int round = 0; round < MAX_ROUNDS; round++) {
          Thread.sleep(PERIOD_MILLIS);
          List<LoggedEvent> events = events();
          events.subList(Math.min(seen, events.size()), events.size()).forEach(log::append);
          seen = Math.max(seen, events.size());
          log.wake();
          if (isOver(events)) {
            return;
          }
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      } finally {
        log.end();
      }
    }
  }
}
