package agentengine.auth;

import agentengine.db.Database;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jdbi.v3.core.statement.PreparedBatch;

/**
 * Remembers when each API token was last used and writes it down every few seconds, because a
 * commit for each request would cost more than many a request.
 */
final class LastUse implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(LastUse.class.getName());
  private static final int MAX_TOKENS = 10_000;

  private final Database database;
  private final Duration period;
  private final Map<String, Long> pending = new ConcurrentHashMap<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread writer;

  LastUse(Database database, Duration period) {
    this.database = database;
    this.period = period;
    this.writer = Thread.ofVirtual().name("token-last-use").start(this::writeUntilClosed);
  }

  void note(String tokenId, long millis) {
    // Beyond the limit a use goes unnoted until the next flush makes room.
    if (pending.size() < MAX_TOKENS || pending.containsKey(tokenId)) {
      pending.merge(tokenId, millis, Math::max);
    }
  }

  private void writeUntilClosed() {
    try {
      while (!closing.await(period.toMillis(), TimeUnit.MILLISECONDS)) {
        flush();
      }
    } catch (InterruptedException _) {
      // Nobody interrupts this thread; if somebody did, close() still writes what is left.
    }
  }

  /** Writes down what is pending; a failure costs nothing but a later try. */
  void flush() {
    // Sorted, so that two nodes lock the rows in the same order and never each other.
    Map<String, Long> uses = new TreeMap<>(pending);
    if (uses.isEmpty()) {
      return;
    }
    try {
      write(uses);
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "the last use of API tokens cannot be stored", e);
      return;
    }
    uses.forEach(pending::remove);
  }

  private void write(Map<String, Long> uses) {
    database.write(
        handle -> {
          PreparedBatch batch =
              handle.prepareBatch(
                  """
                  UPDATE api_token SET last_used_at = :at
                  WHERE id = :id AND (last_used_at IS NULL OR last_used_at < :at)
                  """);
          uses.forEach((id, at) -> batch.bind("id", id).bind("at", at).add());
          return batch.execute().length;
        });
  }

  @Override
  public void close() {
    closing.countDown();
    boolean interrupted = false;
    while (writer.isAlive()) {
      try {
        writer.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    flush();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
