package agentengine.task;

import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.turn.Turns;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * Takes up pending tasks, a bounded number at a time and in turn for all owners. What it has taken
 * up is a turn like any other: it is recovered like one, and it ends its task itself.
 */
public final class TaskWorker implements AutoCloseable {
  private static final Logger LOG = System.getLogger(TaskWorker.class.getName());
  private static final Duration PERIOD = Duration.ofSeconds(1);
  private static final Duration PERIOD_AT_WORK = Duration.ofMillis(50);
  private static final int MAX_REMEMBERED = 10_000;

  private final Database db;
  private final TaskStore store;
  private final Turns turns;
  private final IntSupplier maxAtOnce;
  private final Set<String> sessions = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> lastServed = new HashMap<>();
  private long servings;
  private final Semaphore bell = new Semaphore(0);
  private final Thread thread =
      Thread.ofPlatform().daemon().name("task-worker").unstarted(this::run);
  private volatile boolean closed;

  public TaskWorker(Database db, TaskStore store, Turns turns, IntSupplier maxAtOnce) {
    this.db = db;
    this.store = store;
    this.turns = turns;
    this.maxAtOnce = maxAtOnce;
  }

  public void start() {
    thread.start();
  }

  /** There may be something to do. */
  void wake() {
    bell.release();
  }

  private void run() {
    while (!closed) {
      try {
        Duration patience = sessions.isEmpty() ? PERIOD : PERIOD_AT_WORK;
        boolean _ = bell.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS);
        bell.drainPermits();
        while (!closed && takeUpNext()) {
          // as many as may run
        }
      } catch (InterruptedException _) {
        return;
      } catch (RuntimeException e) {
        if (!closed) {
          LOG.log(Level.WARNING, "tasks could not be taken up; trying again", e);
        }
      }
    }
  }

  private boolean takeUpNext() {
    sessions.removeIf(session -> !turns.isAtWork(session));
    if (sessions.size() >= maxAtOnce.getAsInt()) {
      return false;
    }
    Optional<Task> next =
        db.read(store::oldestPending).stream()
            .min(Comparator.comparingLong(task -> lastServed.getOrDefault(task.owner(), 0L)));
    next.ifPresent(
        task -> {
          served(task.owner());
          takeUp(task);
        });
    return next.isPresent();
  }

  /** Who was served last comes last: an owner with a thousand tasks does not hold up the others. */
  private void served(String owner) {
    if (lastServed.size() >= MAX_REMEMBERED) {
      lastServed.clear();
    }
    lastServed.put(owner, ++servings);
  }

  private void takeUp(Task task) {
    String work =
        task.description().isBlank() ? task.title() : task.title() + "\n\n" + task.description();
    try {
      turns.startTask(
          new Turns.TaskTurn(task.id(), task.owner(), task.agent(), work),
          (handle, sessionId) -> {
            if (!store.begin(handle, task.id(), sessionId)) {
              throw new TakenByAnother();
            }
            sessions.add(sessionId);
          });
    } catch (TakenByAnother _) {
      // Another node has it, or its owner has cancelled it.
    } catch (EngineException e) {
      if (e.code() != ErrorCode.NOT_FOUND) {
        throw e;
      }
      db.write(
          handle ->
              store.end(handle, task.id(), TaskStatus.FAILED, null, "cannot begin: " + e.reason()));
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
  }

  private static final class TakenByAnother extends RuntimeException {
    TakenByAnother() {
      super("taken by another", null, false, false);
    }
  }
}
