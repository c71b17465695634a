package agentengine.bench.load;

import agentengine.bench.model.Script;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Who is asked: the fake model itself, or the engine in front of it.
 *
 * @param accessToken the bearer token; the fake model needs none
 */
public record Target(Protocol protocol, int port, @Nullable String accessToken) {

  /** The two dialects of the same conversation. */
  public enum Protocol {
    DIRECT,
    ENGINE
  }

  public static Target direct(int port) {
    return new Target(Protocol.DIRECT, port, null);
  }

  public static Target engine(int port, String accessToken) {
    return new Target(Protocol.ENGINE, port, accessToken);
  }

  /** The complete HTTP request of one turn. */
  byte[] request(Script script, @Nullable String sessionId) {
    String path =
        switch (protocol) {
          case DIRECT -> "/v1/chat/completions";
          case ENGINE -> "/api/v1/schemas/bench/chat";
        };
    String body =
        switch (protocol) {
          case DIRECT ->
              "{\"model\":\"bench\",\"stream\":true,\"stream_options\":{\"include_usage\":true},"
                  + "\"messages\":[{\"role\":\"user\",\"content\":\""
                  + script.text()
                  + "\"}]}";
          case ENGINE ->
              "{\"message\":\""
                  + script.text()
                  + "\""
                  + (sessionId == null ? "" : ",\"session_id\":\"" + sessionId + "\"")
                  + "}";
        };
    String authorization =
        accessToken == null ? "" : "Authorization: Bearer " + accessToken + "\r\n";
    String request =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: 127.0.0.1:"
            + port
            + "\r\n"
            + authorization
            + "Content-Type: application/json\r\nAccept: text/event-stream\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    return request.getBytes(StandardCharsets.US_ASCII);
  }
}
