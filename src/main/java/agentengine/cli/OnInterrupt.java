package agentengine.cli;

/** Something to do when the process is told to end while this is open, as by Ctrl-C. */
final class OnInterrupt implements AutoCloseable {
  private final Thread hook;

  OnInterrupt(Runnable action) {
    hook = new Thread(action, "interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  @Override
  public void close() {
    try {
      boolean _ = Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is ending already, and the action runs.
    }
  }
}
