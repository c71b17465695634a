package agentengine.http;

import agentengine.time.Watchdog;
import io.helidon.http.Headers;
import io.helidon.http.HttpPrologue;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1ConnectionListener;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Closes a connection whose headers trickle in: a read limit alone is reset by every byte. */
final class SlowHeaders implements Http1ConnectionListener {
  private static final Duration MAX_TIME = Duration.ofSeconds(15);

  private final Watchdog watchdog;

  /** One thread serves a connection, and ends with it. */
  private static final ThreadLocal<Watchdog.@Nullable Watch> READING = new ThreadLocal<>();

  SlowHeaders(Watchdog watchdog) {
    this.watchdog = watchdog;
  }

  @Override
  public void prologue(ConnectionContext context, HttpPrologue prologue) {
    READING.set(watchdog.watch(MAX_TIME));
  }

  @Override
  public void headers(ConnectionContext context, Headers headers) {
    Watchdog.Watch watch = READING.get();
    if (watch != null) {
      watch.close();
      READING.remove();
    }
  }
}
