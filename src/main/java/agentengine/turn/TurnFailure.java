package agentengine.turn;

import agentengine.error.ErrorCode;

/** The turn cannot go on, for a reason that its clients are told. */
final class TurnFailure extends RuntimeException {
  private final ErrorCode code;

  TurnFailure(ErrorCode code, String message) {
    super(message);
    this.code = code;
  }

  /** The failure of a turn that was ended from outside. */
  static TurnFailure of(TurnControl.Ending why) {
    return switch (why) {
      case TIME_LIMIT ->
          new TurnFailure(ErrorCode.BUDGET_EXCEEDED, "the turn took longer than it may take");
      case UNANSWERED -> new TurnFailure(ErrorCode.BUDGET_EXCEEDED, "nobody answered in time");
      case CANCELLED, SHUTDOWN, ABANDONED ->
          new TurnFailure(ErrorCode.CANCELLED, "the turn was cancelled");
    };
  }

  TurnEvent.Failed event() {
    String message = getMessage();
    return new TurnEvent.Failed(code, message == null ? code.wireName() : message);
  }
}
