package agentengine.turn;

import agentengine.error.ErrorCode;

/** The turn cannot go on, for a reason that its clients are told. */
final class TurnFailure extends RuntimeException {
  private final ErrorCode code;

  TurnFailure(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  TurnEvent.Failed event() {
    String message = getMessage();
    return new TurnEvent.Failed(code, message == null ? code.wireName() : message);
  }
}
