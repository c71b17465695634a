package agentengine.log;

/** What the current piece of work is called in every log line it causes. */
public final class LogContext {
  private static final ScopedValue<String> ID = ScopedValue.newInstance();

  private LogContext() {}

  /** Runs the work with its id in every log line. */
  public static void run(String id, Runnable work) {
    ScopedValue.where(ID, id).run(work);
  }

  /** The id of the current work, or "-" outside any. */
  public static String id() {
    return ID.orElse("-");
  }
}
