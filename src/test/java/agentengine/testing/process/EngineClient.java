package agentengine.testing.process;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Talks to an engine that is expected to be there, with the token of its local session. */
public final class EngineClient {
  private final EngineHttp http;

  private EngineClient(EngineHttp http) {
    this.http = http;
  }

  static EngineClient of(int port) {
    try {
      return new EngineClient(EngineHttp.signIn(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public JsonNode get(String path) {
    return json("GET", path, null);
  }

  public JsonNode post(String path, JsonNode body) {
    return json("POST", path, body);
  }

  /** The detail of a session. */
  public JsonNode session(String id) {
    return get("/sessions/" + id);
  }

  /** Sends a message and waits for the whole answer. */
  public JsonNode ask(String schema, String message) {
    return json("POST", chatPath(schema), message(message).put("stream", false));
  }

  /** Sends a message and follows its answer. */
  public Events chat(String schema, String message) {
    return chat(schema, message, Map.of());
  }

  /** The same with headers beside the usual ones. */
  public Events chat(String schema, String message, Map<String, String> headers) {
    return events("POST", chatPath(schema), message(message), headers);
  }

  /** Goes on with a session and waits for the whole answer. */
  public JsonNode askAgain(String schema, String session, String message) {
    return json(
        "POST", chatPath(schema), message(message).put("session_id", session).put("stream", false));
  }

  /** Follows the last turn of a session from behind an event. */
  public Events attach(String session, String lastEventId) {
    return events(
        "GET", "/sessions/" + session + "/stream", null, Map.of("Last-Event-ID", lastEventId));
  }

  /** Answers a gate, and returns the status. */
  public int respond(String session, String callId, String answer) {
    ObjectNode body = Json.object().put("call_id", callId);
    body.putArray("answers").add(answer);
    try (EngineHttp.Response response = http.post("/sessions/" + session + "/respond", body)) {
      return response.status();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String chatPath(String schema) {
    return "/schemas/" + schema + "/chat";
  }

  private static ObjectNode message(String text) {
    return Json.object().put("message", text);
  }

  private JsonNode json(String method, String path, @Nullable JsonNode body) {
    try (EngineHttp.Response response = http.send(method, path, body, Map.of())) {
      return expectOk(path, response).json();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Events events(
      String method, String path, @Nullable JsonNode body, Map<String, String> headers) {
    try {
      EngineHttp.Response response = expectOk(path, http.send(method, path, body, headers));
      return new Events(Objects.requireNonNull(response.sessionId()), response.events());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static EngineHttp.Response expectOk(String path, EngineHttp.Response response)
      throws IOException {
    if (response.status() != 200 && response.status() != 201) {
      throw new AssertionError(path + ": " + response.status() + " " + response.text());
    }
    return response;
  }

  /** A stream that is read as it comes. */
  public static final class Events {
    private final String sessionId;
    private final ServerEvents events;

    private Events(String sessionId, ServerEvents events) {
      this.sessionId = sessionId;
      this.events = events;
    }

    public String sessionId() {
      return sessionId;
    }

    /** All events up to the first of this name; without one, to the end. */
    public List<ServerEvent> through(String lastName) {
      List<ServerEvent> read = new ArrayList<>();
      try {
        for (ServerEvent event = events.next(); event != null; event = events.next()) {
          read.add(event);
          if (event.name().equals(lastName)) {
            return read;
          }
        }
      } catch (IOException _) {
        // The engine was killed: that is an end as well.
      }
      return read;
    }

    /** All that is left; a connection that breaks is an end as well. */
    public List<ServerEvent> rest() {
      return through("");
    }
  }
}
