package agentengine.testing.process;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests to an engine that may die at any moment: each on a connection of its own, sent once, and
 * given up when nothing is heard for longer than the engine is ever silent.
 */
public final class EngineHttp {
  private static final int CONNECT_MILLIS = 5_000;

  /** Two heartbeats of a stream. */
  private static final int SILENCE_MILLIS = 30_000;

  private final int port;
  private final String token;

  private EngineHttp(int port, String token) {
    this.port = port;
    this.token = token;
  }

  /** With the token of a local session, which also the next engine on the same data accepts. */
  public static EngineHttp signIn(int port) throws IOException {
    try (Response response =
        new EngineHttp(port, "").send("POST", "/auth/local-session", null, Map.of())) {
      return new EngineHttp(port, response.json().path("access_token").asText());
    }
  }

  public Response get(String path) throws IOException {
    return send("GET", path, null, Map.of());
  }

  public Response post(String path, JsonNode body) throws IOException {
    return send("POST", path, body, Map.of());
  }

  /** Any request below {@code /api/v1}; returns with the head of the answer. */
  public Response send(
      String method, String path, @Nullable JsonNode body, Map<String, String> headers)
      throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection)
            URI.create("http://127.0.0.1:" + port + "/api/v1" + path).toURL().openConnection();
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(SILENCE_MILLIS);
    connection.setRequestMethod(method);
    connection.setRequestProperty("Connection", "close");
    if (!token.isEmpty()) {
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    headers.forEach(connection::setRequestProperty);
    if (!method.equals("GET")) {
      sendBody(connection, body == null ? new byte[0] : Json.writeBytes(body));
    }
    int status = connection.getResponseCode();
    InputStream stream = status < 400 ? connection.getInputStream() : connection.getErrorStream();
    return new Response(
        status,
        connection.getHeaderField("X-Session-Id"),
        stream == null ? InputStream.nullInputStream() : stream);
  }

  private static void sendBody(HttpURLConnection connection, byte[] body) throws IOException {
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(body.length);
    if (body.length > 0) {
      connection.setRequestProperty("Content-Type", "application/json");
    }
    try (OutputStream out = connection.getOutputStream()) {
      out.write(body);
    }
  }

  /** An answer of which the head is there. */
  public record Response(int status, @Nullable String sessionId, InputStream body)
      implements AutoCloseable {
    public String text() throws IOException {
      return new String(body.readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The whole body. */
    public JsonNode json() throws IOException {
      return Json.parse(text());
    }

    /** The body as the stream of a chat. */
    public ServerEvents events() {
      return new ServerEvents(body);
    }

    @Override
    public void close() throws IOException {
      body.close();
    }
  }
}
