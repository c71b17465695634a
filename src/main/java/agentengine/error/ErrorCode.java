package agentengine.error;

import java.util.Locale;

/** The closed set of failures that the API names; what HTTP status each has is {@code http}'s. */
public enum ErrorCode {
  INVALID_REQUEST,
  UNAUTHORIZED,
  FORBIDDEN,
  CHAT_DISABLED,
  MODEL_OVERRIDE_DISABLED,
  NOT_FOUND,
  METHOD_NOT_ALLOWED,
  CONFLICT,
  SESSION_BUSY,
  PAYLOAD_TOO_LARGE,
  UNSUPPORTED_MEDIA_TYPE,
  RATE_LIMITED,
  INTERNAL_ERROR,
  OVERLOADED,

  // Failures of a turn: the code of its error event.
  MODEL_ERROR,
  MODEL_TIMEOUT,
  CONTEXT_OVERFLOW,
  MAX_STEPS,
  BUDGET_EXCEEDED,
  CANCELLED;

  private final String wireName = name().toLowerCase(Locale.ROOT);

  /** The name a client sees. */
  public String wireName() {
    return wireName;
  }

  /** The code that a stored or received name stands for. */
  public static ErrorCode ofWireName(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
