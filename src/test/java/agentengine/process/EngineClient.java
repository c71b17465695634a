package agentengine.process;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/** Talks to an engine in another process with the token of its local session. */
final class EngineClient {
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final int port;
  private final String token;

  private EngineClient(int port, String token) {
    this.port = port;
    this.token = token;
  }

  static EngineClient of(int port) {
    JsonNode session = new EngineClient(port, "").json("POST", "/auth/local-session", "");
    return new EngineClient(port, session.path("access_token").textValue());
  }

  JsonNode get(String path) {
    return json("GET", path, "");
  }

  /** Sends a message and waits for the whole answer. */
  JsonNode ask(String schema, String message) {
    return json(
        "POST",
        "/schemas/" + schema + "/chat",
        Json.write(Json.object().put("message", message).put("stream", false)));
  }

  /** Sends a message and follows its answer. */
  Events chat(String schema, String message) {
    return events(
        request(
            "POST",
            "/schemas/" + schema + "/chat",
            Json.write(Json.object().put("message", message))));
  }

  /** Follows the last turn of a session from behind an event. */
  Events attach(String session, String lastEventId) {
    return events(
        request("GET", "/sessions/" + session + "/stream", "")
            .header("Last-Event-ID", lastEventId));
  }

  private JsonNode json(String method, String path, String body) {
    HttpResponse<String> response =
        send(request(method, path, body), HttpResponse.BodyHandlers.ofString());
    if (response.statusCode() != 200) {
      throw new AssertionError(path + ": " + response.statusCode() + " " + response.body());
    }
    return Json.parse(response.body());
  }

  private static Events events(HttpRequest.Builder request) {
    HttpResponse<Stream<String>> response = send(request, HttpResponse.BodyHandlers.ofLines());
    if (response.statusCode() != 200) {
      throw new AssertionError(response + " " + response.body().toList());
    }
    return new Events(
        response.headers().firstValue("X-Session-Id").orElseThrow(), response.body().iterator());
  }

  private HttpRequest.Builder request(String method, String path, String body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/api/v1" + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    if (!body.isEmpty()) {
      request.header("Content-Type", "application/json");
    }
    return token.isEmpty() ? request : request.header("Authorization", "Bearer " + token);
  }

  private static <T> HttpResponse<T> send(
      HttpRequest.Builder request, HttpResponse.BodyHandler<T> handler) {
    try {
      return HTTP.send(request.build(), handler);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /** One frame of a stream. */
  record Event(String name, JsonNode data, String id) {
    boolean isDurable() {
      return !name.equals("message_delta") && !name.equals("thinking");
    }
  }

  /** A stream that is read as it comes. */
  static final class Events {
    private final String sessionId;
    private final Iterator<String> lines;

    private Events(String sessionId, Iterator<String> lines) {
      this.sessionId = sessionId;
      this.lines = lines;
    }

    String sessionId() {
      return sessionId;
    }

    /** All events up to the first of this name; without one, to the end. */
    List<Event> through(String lastName) {
      List<Event> events = new ArrayList<>();
      String name = "";
      String data = "";
      String id = "";
      while (lines.hasNext()) {
        String line = lines.next();
        if (line.startsWith("event: ")) {
          name = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
          data = line.substring("data: ".length());
        } else if (line.startsWith("id: ")) {
          id = line.substring("id: ".length());
        } else if (line.isEmpty() && !name.isEmpty()) {
          events.add(new Event(name, Json.parse(data), id));
          if (name.equals(lastName)) {
            return events;
          }
          name = "";
        }
      }
      return events;
    }

    /** All that is left; a connection that breaks is an end as well. */
    List<Event> rest() {
      return through("");
    }
  }
}
