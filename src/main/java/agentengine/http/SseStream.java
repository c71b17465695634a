package agentengine.http;

import agentengine.time.Watchdog;
import agentengine.turn.LoggedEvent;
import agentengine.turn.TurnReader;
import io.helidon.http.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Writes a turn's events to a client: all that is waiting goes out in one flush. */
final class SseStream {
  private static final Duration HEARTBEAT_AFTER = Duration.ofSeconds(15);
  private static final Duration FIRST_EVENT_GRACE = Duration.ofMillis(20);
  private static final Duration MAX_WRITE = Duration.ofSeconds(30);
  private static final Duration UNWATCHED = Duration.ofDays(365);

  private final AtomicInteger active;

  SseStream(AtomicInteger active) {
    this.active = active;
  }

  /** Sends the session's id at once, then the events as they come, to the end of the turn. */
  void send(Exchange exchange, String sessionId, TurnReader reader)
      throws IOException, InterruptedException {
    exchange.setHeader("X-Session-Id", sessionId);
    exchange.setHeader("Cache-Control", "no-cache, no-transform");
    exchange.setHeader("X-Accel-Buffering", "no");
    if (exchange.isHead()) {
      exchange.send(Status.OK_200, "text/event-stream", new byte[0]);
      return;
    }
    active.incrementAndGet();
    try (Watchdog.Watch watch = exchange.watchdog().watch(UNWATCHED);
        OutputStream out = exchange.stream("text/event-stream")) {
      write(reader, new Client(out, watch));
    } finally {
      active.decrementAndGet();
    }
  }

  private static void write(TurnReader reader, Client client)
      throws IOException, InterruptedException {
    // A quick model's first words travel with the headers; a slow one must not hold those back.
    Duration wait = FIRST_EVENT_GRACE;
    while (!reader.isOver()) {
      List<LoggedEvent> batch = reader.next(wait);
      wait = HEARTBEAT_AFTER;
      if (!batch.isEmpty()) {
        client.send(batch);
      } else if (!reader.isOver()) {
        client.heartbeat();
      }
    }
  }

  /** The other end; one that does not take its bytes in time is let go. */
  private static final class Client {
    private final OutputStream out;
    private final Watchdog.Watch watch;
    private final ByteArrayOutputStream buffer = new ByteArrayOutputStream(512);

    Client(OutputStream out, Watchdog.Watch watch) {
      this.out = out;
      this.watch = watch;
    }

    void send(List<LoggedEvent> batch) throws IOException {
      for (LoggedEvent event : batch) {
        SseFrames.write(event, buffer);
      }
      flush();
    }

    void heartbeat() throws IOException {
      buffer.writeBytes(SseFrames.HEARTBEAT);
      flush();
    }

    private void flush() throws IOException {
      watch.extend(MAX_WRITE);
      buffer.writeTo(out);
      out.flush();
      watch.extend(UNWATCHED);
      buffer.reset();
    }
  }
}
