package agentengine.tool;

/** A call that failed; the message is for the model to read and holds no secret. */
public final class ToolFailure extends Exception {
  private final String reason;

  public ToolFailure(String reason) {
    super(reason);
    this.reason = reason;
  }

  public ToolFailure(String reason, Throwable cause) {
    super(reason, cause);
    this.reason = reason;
  }

  public String reason() {
    return reason;
  }
}
