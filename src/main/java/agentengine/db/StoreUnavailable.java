package agentengine.db;

/** The database cannot be used, for a reason that one line tells. */
public final class StoreUnavailable extends RuntimeException {
  public StoreUnavailable(String message, Throwable cause) {
    super(message, cause);
  }

  public StoreUnavailable(String message) {
    super(message);
  }

  /** Never null, unlike a throwable's in general. */
  public String reason() {
    String message = getMessage();
    return message == null ? "the database cannot be used" : message;
  }
}
