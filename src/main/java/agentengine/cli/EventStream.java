package agentengine.cli;

import java.io.IOException;
import java.net.HttpURLConnection;
import org.jspecify.annotations.Nullable;

/** The open stream of a session's turn. */
final class EventStream implements AutoCloseable {
  static final String TYPE = "text/event-stream";

  private final HttpURLConnection connection;
  private final SseReader reader;

  EventStream(HttpURLConnection connection) throws IOException {
    this.connection = connection;
    this.reader = new SseReader(connection.getInputStream());
  }

  /** The session, which the engine names before the first event. */
  @Nullable String sessionId() {
    return connection.getHeaderField("X-Session-Id");
  }

  /** The next event, or null at the end; too long a silence is a broken connection. */
  @Nullable SseEvent next() throws IOException {
    return reader.next();
  }

  @Override
  public void close() {
    connection.disconnect();
  }
}
