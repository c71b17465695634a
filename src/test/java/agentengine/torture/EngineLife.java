package agentengine.torture;

import agentengine.testing.process.EngineProcess;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** The lives of the engine, one process after the other on the same data and the same port. */
final class EngineLife implements AutoCloseable {
  /** Longer than a start may take. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** How long turns may take to end once nobody kills any more: several take-overs in a row. */
  private static final Duration LAST_TURNS = Duration.ofMinutes(3);

  private final EngineProcess.Launch launch;
  private final Findings findings;
  private final Thread hook = new Thread(this::destroy, "kill-engine");
  private final Lock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private volatile @Nullable EngineProcess engine;
  private int lives;
  private boolean ready;
  private boolean calm;
  private long calmSinceNanos;

  EngineLife(EngineProcess.Launch launch, Findings findings) {
    this.launch = launch;
    this.findings = findings;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  /** Starts a process and does not wait until it is ready. */
  void begin() {
    engine = launch.begin();
    findings.count(Count.STARTS);
  }

  /** Waits until the process that was started is ready for requests. */
  void awaitOwnReadiness() {
    if (isReady()) {
      return;
    }
    current().awaitReady();
    change(
        () -> {
          lives++;
          ready = true;
        });
  }

  void kill() {
    change(() -> ready = false);
    findings.logged(current().kill().err());
    findings.count(Count.KILLS);
  }

  /** From now on nobody is killed. */
  void calm() {
    change(
        () -> {
          calm = true;
          calmSinceNanos = System.nanoTime();
        });
  }

  /** Asks the engine to stop, and returns how it ended. */
  EngineProcess.End terminate() {
    change(() -> ready = false);
    EngineProcess.End end = current().terminate();
    findings.logged(end.err());
    return end;
  }

  boolean isReady() {
    return locked(() -> ready);
  }

  boolean isCalm() {
    return locked(() -> calm);
  }

  /** Whether everything should have ended by now. */
  boolean isOverdue() {
    return locked(() -> calm && System.nanoTime() - calmSinceNanos > LAST_TURNS.toNanos());
  }

  /** How many processes were ready so far. */
  int lives() {
    lock.lock();
    try {
      return lives;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for an engine that takes requests; false when none came. */
  boolean awaitReady() throws InterruptedException {
    return await(() -> ready, PATIENCE);
  }

  /** Waits until a later process is ready, or the killing is over, or the time. */
  void awaitLifeAfter(int life, Duration atMost) throws InterruptedException {
    boolean _ = await(() -> calm || (ready && lives > life), atMost);
  }

  private boolean await(BooleanSupplier condition, Duration atMost) throws InterruptedException {
    long left = atMost.toNanos();
    lock.lock();
    try {
      while (!condition.getAsBoolean()) {
        if (left <= 0) {
          return false;
        }
        left = changed.awaitNanos(left);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void change(Runnable change) {
    lock.lock();
    try {
      change.run();
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  private boolean locked(BooleanSupplier question) {
    lock.lock();
    try {
      return question.getAsBoolean();
    } finally {
      lock.unlock();
    }
  }

  private EngineProcess current() {
    EngineProcess process = engine;
    if (process == null) {
      throw new IllegalStateException("no engine was started");
    }
    return process;
  }

  private void destroy() {
    EngineProcess process = engine;
    if (process != null) {
      process.close();
    }
  }

  @Override
  public void close() {
    destroy();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The shutdown has begun and the hook does the same.
    }
  }
}
