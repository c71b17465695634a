package agentengine.cli;

import agentengine.json.Json;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One request to the engine, sent on a connection of its own, and once: the program's start keeps
 * the JDK from repeating a POST, which would be a second message.
 */
record ApiRequest(
    String method,
    String path,
    @Nullable JsonNode body,
    boolean wantsEvents,
    @Nullable String lastEventId) {
  static ApiRequest get(String path) {
    return new ApiRequest("GET", path, null, false, null);
  }

  static ApiRequest post(String path, @Nullable JsonNode body) {
    return new ApiRequest("POST", path, body, false, null);
  }

  static ApiRequest delete(String path) {
    return new ApiRequest("DELETE", path, null, false, null);
  }

  /** The same with a stream for an answer. */
  ApiRequest forEvents() {
    return new ApiRequest(method, path, body, true, null);
  }

  /** The same with a stream that goes on behind the event of that id. */
  ApiRequest forEventsAfter(@Nullable String eventId) {
    return new ApiRequest(method, path, body, true, eventId);
  }

  /** Sends it; the answer is still to be read. */
  HttpURLConnection send(Target target, Patience patience, @Nullable Secret token)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) target.at(path).toURL().openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(millis(patience.connect()));
    connection.setReadTimeout(millis(wantsEvents ? patience.silence() : patience.answer()));
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    connection.setRequestProperty("Connection", "close");
    connection.setRequestProperty("Accept", wantsEvents ? EventStream.TYPE : "application/json");
    if (token != null) {
      connection.setRequestProperty("Authorization", "Bearer " + token.reveal());
    }
    if (lastEventId != null) {
      connection.setRequestProperty("Last-Event-ID", lastEventId);
    }
    if (body != null) {
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/json");
    }
    connect(connection, target);
    if (body != null) {
      try (OutputStream out = connection.getOutputStream()) {
        out.write(Json.writeBytes(body));
      }
    }
    return connection;
  }

  private static void connect(HttpURLConnection connection, Target target) throws IOException {
    try {
      connection.connect();
    } catch (ConnectException
        | NoRouteToHostException
        | SocketTimeoutException
        | UnknownHostException e) {
      throw new NoEngine(target.url(), e);
    }
  }

  private static int millis(Duration duration) {
    return Math.toIntExact(duration.toMillis());
  }
}
