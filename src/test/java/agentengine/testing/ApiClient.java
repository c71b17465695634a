package agentengine.testing;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Talks to an engine as a stranger would; every answer is held against the OpenAPI document. */
public final class ApiClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private final int port;
  private final String token;

  ApiClient(int port, String token) {
    this.port = port;
    this.token = token;
  }

  /** A client without a token. */
  public static ApiClient of(int port) {
    return new ApiClient(port, "");
  }

  /** The same, with another token; an empty one means none. */
  public ApiClient with(String otherToken) {
    return new ApiClient(port, otherToken);
  }

  public ApiClient withLocalSession() {
    return with(post("/api/v1/auth/local-session", null).json().path("access_token").textValue());
  }

  /** A client whose new API token has these scopes. */
  public ApiClient withScopes(String... scopes) {
    var body = Json.object().put("name", "test");
    var list = body.putArray("scopes");
    for (String scope : scopes) {
      list.add(scope);
    }
    return with(post("/api/v1/auth/tokens", body).expect(201).path("token").textValue());
  }

  public String token() {
    return token;
  }

  public Answer get(String path) {
    return send("GET", path, null, Map.of());
  }

  public Answer delete(String path) {
    return send("DELETE", path, null, Map.of());
  }

  public Answer post(String path, @Nullable JsonNode body) {
    return send("POST", path, body == null ? null : Json.writeBytes(body), jsonHeader(body));
  }

  public Answer put(String path, JsonNode body) {
    return send("PUT", path, Json.writeBytes(body), jsonHeader(body));
  }

  private static Map<String, String> jsonHeader(@Nullable JsonNode body) {
    return body == null ? Map.of() : Map.of("Content-Type", "application/json");
  }

  /** Any request at all. */
  public Answer send(
      String method, String path, byte @Nullable [] body, Map<String, String> headers) {
    try {
      HttpResponse<byte[]> response =
          HTTP.send(request(method, path, body, headers), HttpResponse.BodyHandlers.ofByteArray());
      Answer answer = new Answer(response.statusCode(), response.headers().map(), response.body());
      OpenApiContract.instance()
          .check(
              method,
              path,
              answer.status(),
              answer.header("Content-Type"),
              answer.headers(),
              answer.body());
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Sends a chat message and reads its stream as it comes. */
  public EventStream chat(String schema, String message, @Nullable String sessionId) {
    var body = Json.object().put("message", message);
    if (sessionId != null) {
      body.put("session_id", sessionId);
    }
    return stream(
        "POST", "/api/v1/schemas/" + schema + "/chat", Json.writeBytes(body), jsonHeader(body));
  }

  /** The same in a new session, with headers beside the usual ones. */
  public EventStream chat(String schema, String message, Map<String, String> headers) {
    var body = Json.object().put("message", message);
    Map<String, String> all = new HashMap<>(headers);
    all.putAll(jsonHeader(body));
    return stream("POST", "/api/v1/schemas/" + schema + "/chat", Json.writeBytes(body), all);
  }

  public EventStream chat(String schema, String message) {
    return chat(schema, message, Map.of());
  }

  /** Follows a session's last turn. */
  public EventStream attach(String sessionId, @Nullable String lastEventId) {
    return stream(
        "GET",
        "/api/v1/sessions/" + sessionId + "/stream",
        null,
        lastEventId == null ? Map.of() : Map.of("Last-Event-ID", lastEventId));
  }

  private EventStream stream(
      String method, String path, byte @Nullable [] body, Map<String, String> headers) {
    try {
      HttpResponse<InputStream> response =
          HTTP.send(
              request(method, path, body, headers), HttpResponse.BodyHandlers.ofInputStream());
      if (response.statusCode() != 200) {
        String text = new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
        throw new AssertionError(method + " " + path + ": " + response.statusCode() + " " + text);
      }
      return new EventStream(response.headers(), response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest request(
      String method, String path, byte @Nullable [] body, Map<String, String> headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .timeout(LIMIT)
            .method(
                method,
                body == null
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    headers.forEach(request::setHeader);
    return request.build();
  }
}
