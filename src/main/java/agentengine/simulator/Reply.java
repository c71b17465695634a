package agentengine.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerResponse;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The HTTP response to one request, while it is still open what it will be. */
record Reply(ServerResponse response) {

  /** Announces that this connection serves no further request. */
  void closeAfterwards() {
    response.header(HeaderValues.CONNECTION_CLOSE);
  }

  void json(JsonNode body) {
    send(200, "application/json", Json.bytes(body));
  }

  void error(ApiError error, @Nullable String retryAfter) {
    if (retryAfter != null) {
      response.header(HeaderNames.RETRY_AFTER, retryAfter);
    }
    send(error.status(), "application/json", Json.bytes(error.toJson()));
  }

  void html(int status) {
    String page = "<!DOCTYPE html><html><body><h1>Simulated gateway page</h1></body></html>";
    send(status, "text/html", page.getBytes(StandardCharsets.UTF_8));
  }

  void nothing() {
    send(200, "application/json", new byte[0]);
  }

  OutputStream eventStream() {
    response.header(HeaderNames.CONTENT_TYPE, "text/event-stream; charset=utf-8");
    response.header(HeaderNames.CACHE_CONTROL, "no-cache");
    return response.outputStream();
  }

  private void send(int status, String contentType, byte[] body) {
    response.status(Status.create(status));
    response.header(HeaderNames.CONTENT_TYPE, contentType);
    response.send(body);
  }
}
