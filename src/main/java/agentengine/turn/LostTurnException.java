package agentengine.turn;

/**
 * Another attempt, perhaps on another node, has this turn now; this one must not write any more.
 */
final class LostTurnException extends RuntimeException {
  LostTurnException(TurnKey key) {
    super("turn " + key.number() + " of session " + key.sessionId() + " was taken over");
  }
}
