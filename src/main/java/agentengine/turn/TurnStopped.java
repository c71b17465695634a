package agentengine.turn;

/**
 * The thread of a turn stops here; the turn itself is left as it is in the store, to go on later.
 */
final class TurnStopped extends RuntimeException {
  TurnStopped() {
    super("the turn stops here and goes on later", null, false, false);
  }
}
