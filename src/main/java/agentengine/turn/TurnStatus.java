package agentengine.turn;

import java.util.Locale;

/** Where a turn stands. */
enum TurnStatus {
  RUNNING,
  COMPLETED,
  FAILED,
  CANCELLED;

  String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
