package agentengine.turn;

import java.time.Duration;
import java.util.List;

/** One client's place in a turn's events. */
public final class TurnReader {
  private final TurnLog log;
  private int cursor;

  TurnReader(TurnLog log, int cursor) {
    this.log = log;
    this.cursor = cursor;
  }

  /** All events that are there and not read yet; empty when none came in time, or at the end. */
  public List<LoggedEvent> next(Duration wait) throws InterruptedException {
    List<LoggedEvent> batch = log.from(cursor, wait);
    cursor += batch.size();
    return batch;
  }

  /** Whether everything was read and nothing more comes. */
  public boolean isOver() {
    return log.endedAt(cursor);
  }
}
