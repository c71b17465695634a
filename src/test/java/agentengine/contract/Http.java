package agentengine.contract;

import agentengine.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The smallest client that will do. Paths are those under {@code /api/v1}; a body is JSON that may
 * be written with single quotes.
 */
final class Http {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String JSON = "application/json";

  private final String base;
  private final String token;

  /**
   * @param token an access token, or empty for none
   */
  Http(int port, String token) {
    this("http://127.0.0.1:" + port, token);
  }

  private Http(String base, String token) {
    this.base = base;
    this.token = token;
  }

  Http as(String otherToken) {
    return new Http(base, otherToken);
  }

  /** A client with a new API token of these scopes. */
  Http scoped(String... scopes) {
    return as(newToken(scopes).json(201).path("token").textValue());
  }

  Reply newToken(String... scopes) {
    var body = Json.object().put("name", "contract");
    body.set("scopes", Json.array(List.of(scopes)));
    return post("/auth/tokens", Json.write(body));
  }

  Reply get(String path) {
    return call("GET", path, BodyPublishers.noBody(), Map.of());
  }

  Reply delete(String path) {
    return call("DELETE", path, BodyPublishers.noBody(), Map.of());
  }

  /** Without a body. */
  Reply post(String path) {
    return call("POST", path, BodyPublishers.noBody(), Map.of());
  }

  Reply post(String path, String body) {
    return send("POST", path, JSON, body);
  }

  Reply put(String path, String body) {
    return send("PUT", path, JSON, body);
  }

  Reply send(String method, String path, String contentType, String body) {
    return call(
        method, path, BodyPublishers.ofString(quoted(body)), Map.of("Content-Type", contentType));
  }

  private static String quoted(String body) {
    return body.contains("\"") ? body : body.replace('\'', '"');
  }

  /** Any request; a path with two slashes in front is not under the API. */
  Reply call(String method, String path, BodyPublisher body, Map<String, String> headers) {
    HttpResponse<String> response =
        exchange(request(method, path, body, headers), HttpResponse.BodyHandlers.ofString());
    return new Reply(response.statusCode(), response.headers(), response.body());
  }

  /** A chat message whose answer is one JSON body. */
  Reply ask(String schema, String message) {
    return post(
        "/schemas/" + schema + "/chat",
        Json.write(Json.object().put("message", message).put("stream", false)));
  }

  Events chat(String schema, String message) {
    return stream("POST", "/schemas/" + schema + "/chat", message(message), Map.of());
  }

  Events chat(String schema, String message, String sessionId) {
    String body = Json.write(Json.object().put("message", message).put("session_id", sessionId));
    return stream("POST", "/schemas/" + schema + "/chat", BodyPublishers.ofString(body), Map.of());
  }

  static BodyPublisher message(String message) {
    return BodyPublishers.ofString(Json.write(Json.object().put("message", message)));
  }

  Events stream(String method, String path, BodyPublisher body, Map<String, String> headers) {
    HttpResponse<InputStream> response =
        exchange(request(method, path, body, headers), HttpResponse.BodyHandlers.ofInputStream());
    return new Events(response.statusCode(), response.headers(), response.body());
  }

  private HttpRequest request(
      String method, String path, BodyPublisher body, Map<String, String> headers) {
    String address = path.startsWith("//") ? base + path.substring(1) : base + "/api/v1" + path;
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address)).timeout(LIMIT).method(method, body);
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    if (body.contentLength() > 0) {
      request.setHeader("Content-Type", JSON);
    }
    headers.forEach(request::setHeader);
    return request.build();
  }

  private static <T> HttpResponse<T> exchange(
      HttpRequest request, HttpResponse.BodyHandler<T> handler) {
    try {
      return CLIENT.send(request, handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
