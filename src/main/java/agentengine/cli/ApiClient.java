package agentengine.cli;

import agentengine.json.Json;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The engine's API as the commands use it, in blocking calls.
 *
 * <p>Each throws {@link ApiRefusal} when the engine answers with an error, {@link NoEngine} when
 * nobody listens there, and another {@code IOException} when the connection breaks.
 */
final class ApiClient {
  private static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;

  private final Target target;
  private final Patience patience;
  private volatile @Nullable Secret token;

  ApiClient(Target target, Patience patience) {
    this.target = target;
    this.patience = patience;
    this.token = target.token();
  }

  /** A name as a segment of a path. */
  static String segment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  JsonNode get(String path) throws IOException {
    return json(authorized(ApiRequest.get(path)));
  }

  JsonNode post(String path, @Nullable JsonNode body) throws IOException {
    return json(authorized(ApiRequest.post(path, body)));
  }

  void delete(String path) throws IOException {
    JsonNode _ = json(authorized(ApiRequest.delete(path)));
  }

  /** Sends something whose answer is a stream. */
  EventStream postForEvents(String path, JsonNode body) throws IOException {
    return events(ApiRequest.post(path, body).forEvents());
  }

  /** Opens a stream behind the event of that id, or from its start. */
  EventStream getEvents(String path, @Nullable String lastEventId) throws IOException {
    return events(ApiRequest.get(path).forEventsAfter(lastEventId));
  }

  /** Whether an engine is there, and not nothing or something else. */
  boolean isEngineThere() {
    try {
      JsonNode health = json(send(ApiRequest.get("/health"), null));
      return health.has("status") && health.has("version");
    } catch (IOException | ApiRefusal _) {
      return false;
    }
  }

  /** Makes sure that there is a token to show: the given one, or that of a local session. */
  Secret signIn() throws IOException {
    Secret current = token;
    return current == null ? localSession() : current;
  }

  private Secret localSession() throws IOException {
    JsonNode answer = json(send(ApiRequest.post("/auth/local-session", null), null));
    Secret fresh = new Secret(answer.path("access_token").asText());
    token = fresh;
    return fresh;
  }

  private EventStream events(ApiRequest request) throws IOException {
    HttpURLConnection connection = authorized(request);
    String type = connection.getContentType();
    if (type == null || !type.startsWith(EventStream.TYPE)) {
      connection.disconnect();
      throw notAnEngine(connection.getResponseCode());
    }
    return new EventStream(connection);
  }

  /** Sends the request with the token, and with a fresh one when a local session has expired. */
  private HttpURLConnection authorized(ApiRequest request) throws IOException {
    boolean tokenIsOld = token != null && target.token() == null;
    try {
      return send(request, signIn());
    } catch (ApiRefusal e) {
      if (tokenIsOld && e.isUnauthorized()) {
        return send(request, localSession());
      }
      throw e;
    }
  }

  /** Sends the request and refuses every answer but a good one. */
  private HttpURLConnection send(ApiRequest request, @Nullable Secret shown) throws IOException {
    try {
      HttpURLConnection connection = request.send(target, patience, shown);
      int status = connection.getResponseCode();
      if (status < 200 || status > 299) {
        throw refusal(connection, status);
      }
      return connection;
    } catch (NoEngine e) {
      throw e;
    } catch (IOException e) {
      throw new IOException("the connection to " + target.url() + " broke: " + e.getMessage(), e);
    }
  }

  private ApiRefusal refusal(HttpURLConnection connection, int status) throws IOException {
    JsonNode body = read(connection.getErrorStream(), status);
    String code = body.path("error").asText();
    String message = body.path("message").asText();
    return code.isEmpty() || message.isEmpty()
        ? notAnEngine(status)
        : new ApiRefusal(status, code, message);
  }

  private JsonNode json(HttpURLConnection connection) throws IOException {
    return read(connection.getInputStream(), connection.getResponseCode());
  }

  private JsonNode read(@Nullable InputStream answer, int status) throws IOException {
    if (answer == null) {
      return Json.object();
    }
    try (answer) {
      byte[] bytes = answer.readNBytes(MAX_ANSWER_BYTES);
      return bytes.length == 0
          ? Json.object()
          : Json.parse(new String(bytes, StandardCharsets.UTF_8));
    } catch (UncheckedIOException _) {
      throw notAnEngine(status);
    }
  }

  private ApiRefusal notAnEngine(int status) {
    return new ApiRefusal(
        status,
        "http_" + status,
        "what answers at " + target.url() + " does not speak like an engine");
  }
}
