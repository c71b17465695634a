package agentengine.cli;

/** The engine answered with an error instead of what was asked for. */
final class ApiRefusal extends RuntimeException {
  private final int status;
  private final String code;
  private final String reason;

  ApiRefusal(int status, String code, String reason) {
    super(reason);
    this.status = status;
    this.code = code;
    this.reason = reason;
  }

  String code() {
    return code;
  }

  String reason() {
    return reason;
  }

  /** Whether the same request may do better a little later. */
  boolean isTemporary() {
    return status == 429 || status >= 500;
  }

  /** Whether the token was not accepted. */
  boolean isUnauthorized() {
    return status == 401;
  }

  /** Whether the caller may not, or there is no such thing: nothing to try again. */
  boolean isFinal() {
    return status == 401 || status == 403 || status == 404;
  }
}
