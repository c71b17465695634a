package agentengine.db;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits that an interrupt does not end: what happens to a commit must always be known. */
final class Uninterrupted {
  private Uninterrupted() {}

  static <T> T take(BlockingQueue<T> queue) {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return queue.take();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  static <T extends @Nullable Object> T join(CompletableFuture<T> future)
      throws ExecutionException {
    boolean interrupted = Thread.interrupted();
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException _) {
          interrupted = true;
        }
      }
    } finally {
      restore(interrupted);
    }
  }

  /**
   * Runs work on a thread that nobody can interrupt: an interrupt closes the socket that a virtual
   * thread waits on, and with a database connection goes the knowledge of what was committed.
   */
  static <T extends @Nullable Object> T call(Supplier<T> work) {
    CompletableFuture<T> outcome = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                outcome.complete(work.get());
              } catch (Throwable e) {
                outcome.completeExceptionally(e);
              }
            });
    try {
      return join(outcome);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException runtime
          ? runtime
          : new IllegalStateException(e.getCause());
    }
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
