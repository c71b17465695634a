package agentengine.simulator;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Waits for a client to leave, which a handler that sends nothing would not notice otherwise.
 *
 * <p>The watch reads from the connection until its end, so no other request may follow on it.
 */
final class ClientWatch {
  private final CountDownLatch left = new CountDownLatch(1);

  /** The client has closed its connection before the answer was complete. */
  static final class ClientLeft extends CloseConnectionException {
    ClientLeft() {
      super("The client has left");
    }
  }

  static ClientWatch none() {
    return new ClientWatch();
  }

  static ClientWatch over(DataReader connection) {
    ClientWatch watch = new ClientWatch();
    Thread.ofVirtual().name("simulator-client-watch").start(() -> watch.readToTheEnd(connection));
    return watch;
  }

  private void readToTheEnd(DataReader connection) {
    try {
      while (true) {
        connection.ensureAvailable();
        connection.skip(connection.available());
      }
    } catch (RuntimeException e) {
      // Whatever the reader says at the end of a connection: it is the end.
      left.countDown();
    }
  }

  /** Waits so long, unless the client leaves or the server is closed before. */
  void pause(Duration duration) {
    try {
      if (left.await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new ClientLeft();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CloseConnectionException("The simulator is closing", e);
    }
  }
}
