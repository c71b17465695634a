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

  /** Runs work during which an interrupt would close a connection, and with it lose the outcome. */
  static <T extends @Nullable Object> T call(Supplier<T> work) {
    boolean interrupted = Thread.interrupted();
    try {
      return work.get();
    } finally {
      restore(interrupted);
    }
  }

  private static void restore(boolean interrupted) {
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
