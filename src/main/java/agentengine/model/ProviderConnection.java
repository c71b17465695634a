package agentengine.model;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.Locale;

/**
 * A provider's answer over HTTP, read on the calling virtual thread: one wake-up for each piece
 * that arrives, and an interrupt of that thread closes the connection.
 */
final class ProviderConnection implements AutoCloseable {
  static {
    // A request is repeated by our own rules only, and idle connections are worth keeping.
    System.setProperty("sun.net.http.retryPost", "false");
    System.setProperty("http.maxConnections", "256");
  }

  private final HttpURLConnection connection;
  private boolean complete;

  private ProviderConnection(HttpURLConnection connection) {
    this.connection = connection;
  }

  /** Sends a request and reads its streamed answer to the end. */
  static void exchange(
      ProviderRequest request,
      WireFormat.Framing framing,
      ProviderCall call,
      WireFormat.EventReader events) {
    try (ProviderConnection connection = send(request, call.limits())) {
      InputStream in = connection.stream(framing);
      LineReader.of(framing, in, call, events).readAll();
      events.finish();
      in.close();
      connection.complete = true;
    } catch (IOException e) {
      throw ProviderFailures.connection(request.url(), e);
    }
  }

  private static ProviderConnection send(ProviderRequest request, ModelLimits limits)
      throws IOException {
    HttpURLConnection connection = open(request.url());
    connection.setRequestMethod("POST");
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setConnectTimeout(Math.toIntExact(limits.connect().toMillis()));
    connection.setRequestProperty("Content-Type", "application/json");
    request.headers().forEach(connection::setRequestProperty);
    connection.setDoOutput(true);
    try (OutputStream out = connection.getOutputStream()) {
      out.write(request.body());
    }
    return new ProviderConnection(connection);
  }

  private static HttpURLConnection open(String url) throws IOException {
    try {
      return (HttpURLConnection) URI.create(url).toURL().openConnection();
    } catch (IllegalArgumentException e) {
      throw new ModelException(
          ModelException.Kind.REFUSED, "the model's base_url cannot be used: " + e.getMessage());
    }
  }

  /** The body of a good answer that streams. */
  private InputStream stream(WireFormat.Framing framing) throws IOException {
    int status = connection.getResponseCode();
    if (status / 100 == 2) {
      InputStream in = connection.getInputStream();
      requireStream(in, framing);
      return in;
    }
    if (status < 0) {
      throw new ModelException(
          ModelException.Kind.MALFORMED,
          "the provider does not answer with HTTP: check the model's base_url");
    }
    InputStream error = connection.getErrorStream();
    byte[] body = error == null ? new byte[0] : error.readNBytes(ProviderFailures.MAX_ERROR_BYTES);
    throw ProviderFailures.status(status, body, connection::getHeaderField);
  }

  /** What does not stream is some other server, or an error in a success's clothes. */
  private void requireStream(InputStream in, WireFormat.Framing framing) throws IOException {
    String type =
        connection.getContentType() == null
            ? ""
            : connection.getContentType().toLowerCase(Locale.ROOT);
    if (type.startsWith("text/html")) {
      throw new ModelException(
          ModelException.Kind.MALFORMED,
          "the provider answered with a web page: check the model's base_url");
    }
    if (framing == WireFormat.Framing.SERVER_SENT_EVENTS && type.startsWith("application/json")) {
      throw ProviderFailures.unstreamed(in.readNBytes(ProviderFailures.MAX_ERROR_BYTES));
    }
  }

  /** A connection whose answer was not read to its end cannot be used again. */
  @Override
  public void close() {
    if (!complete) {
      connection.disconnect();
    }
  }
}
