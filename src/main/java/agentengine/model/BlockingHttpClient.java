package agentengine.model;

import dev.langchain4j.http.client.HttpClient;
import dev.langchain4j.http.client.HttpClientBuilder;
import dev.langchain4j.http.client.HttpRequest;
import dev.langchain4j.http.client.SuccessfulHttpResponse;
import dev.langchain4j.http.client.sse.DefaultServerSentEventParser;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import dev.langchain4j.http.client.sse.ServerSentEventParser;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * LangChain4j's HTTP, read on the calling virtual thread: one wake-up for each piece that arrives,
 * and an interrupt of that thread closes the provider's connection.
 */
final class BlockingHttpClient implements HttpClient {
  private static final int MAX_BODY_BYTES = 16 * 1024 * 1024;

  static {
    // A request is repeated by our own rules only, and idle connections are worth keeping.
    System.setProperty("sun.net.http.retryPost", "false");
    System.setProperty("http.maxConnections", "256");
  }

  @Override
  public SuccessfulHttpResponse execute(HttpRequest request) {
    HttpURLConnection connection = open(request);
    try (InputStream in = success(connection)) {
      return SuccessfulHttpResponse.builder()
          .statusCode(connection.getResponseCode())
          .headers(connection.getHeaderFields())
          .body(in.readNBytes(MAX_BODY_BYTES))
          .build();
    } catch (IOException e) {
      connection.disconnect();
      throw ProviderFailures.connection(request.url(), e);
    }
  }

  @Override
  public void execute(
      HttpRequest request, ServerSentEventParser parser, ServerSentEventListener listener) {
    ProviderCall call = ProviderCall.current();
    HttpURLConnection connection = null;
    boolean complete = false;
    try {
      connection = open(request);
      InputStream in = success(connection);
      boolean sse = parser instanceof DefaultServerSentEventParser;
      requireStream(connection, in, sse);
      listener.onOpen(
          SuccessfulHttpResponse.builder().statusCode(connection.getResponseCode()).build());
      // Never LangChain4j's own parsers: they know no limit and swallow what they cannot read.
      LineReader reader =
          sse ? new SseReader(in, listener, call) : new JsonLinesReader(in, listener, call);
      reader.readAll();
      RuntimeException failure = call.failure();
      if (failure == null) {
        in.close();
        complete = true;
        listener.onClose();
      }
    } catch (IOException e) {
      call.fail(ProviderFailures.connection(request.url(), e));
    } catch (ModelException e) {
      call.fail(e);
    } finally {
      if (!complete && connection != null) {
        connection.disconnect();
      }
    }
  }

  private static HttpURLConnection open(HttpRequest request) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(request.url()).toURL().openConnection();
      connection.setRequestMethod(request.method().name());
      connection.setInstanceFollowRedirects(false);
      connection.setUseCaches(false);
      connection.setConnectTimeout(
          Math.toIntExact(ProviderCall.current().limits().connect().toMillis()));
      request
          .headers()
          .forEach(
              (name, values) ->
                  values.forEach(value -> connection.addRequestProperty(name, value)));
      String body = request.body();
      if (body != null) {
        connection.setDoOutput(true);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body.getBytes(StandardCharsets.UTF_8));
        }
      }
      return connection;
    } catch (IOException e) {
      throw ProviderFailures.connection(request.url(), e);
    } catch (IllegalArgumentException e) {
      throw new ModelException(
          ModelException.Kind.REFUSED,
          "the model's base_url or key cannot be used: " + e.getMessage());
    }
  }

  private static InputStream success(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    if (status / 100 == 2) {
      return connection.getInputStream();
    }
    if (status < 0) {
      throw new ModelException(
          ModelException.Kind.MALFORMED,
          "the provider does not answer with HTTP: check the model's base_url");
    }
    InputStream error = connection.getErrorStream();
    byte[] body = error == null ? new byte[0] : error.readNBytes(ProviderFailures.MAX_ERROR_BYTES);
    throw ProviderFailures.status(status, body, retryAfter(connection));
  }

  private static @Nullable Duration retryAfter(HttpURLConnection connection) {
    String value = connection.getHeaderField("Retry-After");
    return value != null && value.matches("\\d{1,6}")
        ? Duration.ofSeconds(Long.parseLong(value))
        : null;
  }

  /** What does not stream is some other server, or an error in a success's clothes. */
  private static void requireStream(HttpURLConnection connection, InputStream in, boolean sse)
      throws IOException {
    String type =
        connection.getContentType() == null
            ? ""
            : connection.getContentType().toLowerCase(Locale.ROOT);
    if (type.startsWith("text/html")) {
      throw new ModelException(
          ModelException.Kind.MALFORMED,
          "the provider answered with a web page: check the model's base_url");
    }
    if (sse && type.startsWith("application/json")) {
      throw ProviderFailures.unstreamed(in.readNBytes(ProviderFailures.MAX_ERROR_BYTES));
    }
  }

  /** Hands LangChain4j this client; the time limits are those of the call, not of the client. */
  static final class Builder implements HttpClientBuilder {
    @Override
    public Duration connectTimeout() {
      return ModelLimits.DEFAULT.connect();
    }

    @Override
    public HttpClientBuilder connectTimeout(Duration timeout) {
      return this;
    }

    @Override
    public Duration readTimeout() {
      return ModelLimits.DEFAULT.firstToken();
    }

    @Override
    public HttpClientBuilder readTimeout(Duration timeout) {
      return this;
    }

    @Override
    public HttpClient build() {
      return new BlockingHttpClient();
    }
  }
}
