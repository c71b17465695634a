package agentengine.bench;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The processes that this run started: whatever happens, none of them outlives it. */
final class Children implements AutoCloseable {

  private static final long POLITE_SECONDS = 12;

  private final Set<Process> running = ConcurrentHashMap.newKeySet();
  private final Thread hook = new Thread(this::killAll, "kill-children");

  Children() {
    Runtime.getRuntime().addShutdownHook(hook);
  }

  Process add(Process process) {
    running.add(process);
    return process;
  }

  /** Asks the process to end, and ends it when it does not. */
  void stop(Process process) throws InterruptedException {
    process.destroy();
    if (!process.waitFor(POLITE_SECONDS, TimeUnit.SECONDS)) {
      process.destroyForcibly().waitFor(POLITE_SECONDS, TimeUnit.SECONDS);
    }
    running.remove(process);
  }

  private void killAll() {
    running.forEach(Process::destroyForcibly);
  }

  @Override
  public void close() {
    killAll();
    running.forEach(process -> process.onExit().join());
    running.clear();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The shutdown has begun and the hook is doing the same.
    }
  }
}
