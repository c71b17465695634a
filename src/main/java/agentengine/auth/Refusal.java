package agentengine.auth;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;

/** All that a caller who is not let in gets to know. */
enum Refusal {
  MISSING("the access token is missing: send Authorization: Bearer <token>"),
  INVALID("the access token is invalid"),
  EXPIRED("the access token has expired"),
  REVOKED("the access token has been revoked");

  private final String message;

  Refusal(String message) {
    this.message = message;
  }

  /** Without a cause: why a token is invalid helps only those who forge one. */
  EngineException exception() {
    return new EngineException(ErrorCode.UNAUTHORIZED, message);
  }
}
