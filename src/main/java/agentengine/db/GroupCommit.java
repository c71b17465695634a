package agentengine.db;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that writes to SQLite. It takes all the work that is waiting, runs each piece in a
 * savepoint of its own, and commits them together: one disk flush serves many callers, and each
 * returns only after the flush that holds its data.
 */
final class GroupCommit implements AutoCloseable {
  private static final int QUEUE = 10_000;
  private static final int BATCH = 256;

  private final BlockingQueue<Job<?>> waiting = new ArrayBlockingQueue<>(QUEUE);
  private final Handle handle;
  private final TransactionControl control;
  private final Timer commitTime;
  private final Thread thread;
  private volatile boolean closed;

  GroupCommit(Handle handle, MeterRegistry meters) {
    this.handle = handle;
    this.control = new TransactionControl(handle.getConnection());
    this.commitTime = CommitTime.timer(meters);
    this.thread = Thread.ofPlatform().name("sqlite-writer").start(this::run);
  }

  <T extends @Nullable Object> T submit(Database.Work<T> work) {
    Job<T> job = new Job<>(work);
    if (closed) {
      throw new StoreUnavailable("the store is closed");
    }
    if (!waiting.offer(job)) {
      throw new EngineException(ErrorCode.OVERLOADED, "the store has too much to write; try again");
    }
    if (closed && waiting.remove(job)) {
      // The writer may have ended between our first look and the offer; nobody would answer.
      throw new StoreUnavailable("the store is closed");
    }
    try {
      return Uninterrupted.join(job.result);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException runtime
          ? runtime
          : new IllegalStateException(e.getCause());
    }
  }

  private void run() {
    List<Job<?>> batch = new ArrayList<>(BATCH);
    while (!closed || !waiting.isEmpty()) {
      try {
        Job<?> first = waiting.poll(200, TimeUnit.MILLISECONDS);
        if (first == null) {
          continue;
        }
        batch.add(first);
        waiting.drainTo(batch, BATCH - 1);
        commit(batch);
      } catch (InterruptedException _) {
        // Nobody but close() ends this thread, and it does so by the flag.
      } finally {
        batch.clear();
      }
    }
    handle.close();
  }

  private void commit(List<Job<?>> batch) {
    long start = System.nanoTime();
    try {
      control.begin();
      for (Job<?> job : batch) {
        job.run(handle, control);
      }
      control.commit();
    } catch (RuntimeException | Error e) {
      rollBack();
      RuntimeException failure = asFailure(e);
      batch.forEach(job -> job.fail(failure));
      return;
    }
    commitTime.record(System.nanoTime() - start, TimeUnit.NANOSECONDS);
    batch.forEach(Job::complete);
  }

  private void rollBack() {
    try {
      control.rollBack();
    } catch (RuntimeException _) {
      // SQLite has rolled back by itself, as it does when the disk is full.
    }
  }

  private static RuntimeException asFailure(Throwable e) {
    if (SqliteDatabase.isDiskFull(e)) {
      return new StoreUnavailable("the disk of the database is full", e);
    }
    return e instanceof RuntimeException runtime ? runtime : new IllegalStateException(e);
  }

  @Override
  public void close() {
    closed = true;
    // Wakes a writer that waits for work; a full queue keeps it awake anyway.
    boolean _ = waiting.offer(new Job<>(_ -> true));
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    List<Job<?>> late = new ArrayList<>();
    waiting.drainTo(late);
    late.forEach(job -> job.fail(new StoreUnavailable("the store is closed")));
  }

  private static final class Job<T extends @Nullable Object> {
    private final Database.Work<T> work;
    final CompletableFuture<T> result = new CompletableFuture<>();
    private @Nullable T value;
    private @Nullable RuntimeException failure;

    Job(Database.Work<T> work) {
      this.work = work;
    }

    /** Runs the work; its own failure undoes only its own changes. */
    void run(Handle handle, TransactionControl control) {
      control.save();
      try {
        value = work.run(handle);
      } catch (RuntimeException | Error e) {
        if (SqliteDatabase.isDiskFull(e)) {
          throw e;
        }
        control.rollBackToSave();
        failure = asFailure(e);
      }
      control.release();
    }

    @SuppressWarnings("NullAway") // the work decides whether its value may be null
    void complete() {
      if (failure == null) {
        result.complete(value);
      } else {
        result.completeExceptionally(failure);
      }
    }

    void fail(RuntimeException cause) {
      result.completeExceptionally(failure == null ? cause : failure);
    }
  }
}
