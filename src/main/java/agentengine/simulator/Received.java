package agentengine.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;

/** A request for a completion as it arrived, kept so that a test can look at it. */
public final class Received {
  private final Map<String, String> headers;
  private final byte[] rawBody;
  private volatile boolean clientLeft;
  private volatile boolean ended;

  Received(Map<String, String> headers, byte[] rawBody) {
    this.headers = headers;
    this.rawBody = rawBody;
  }

  /** The body, parsed; a missing node when it was not JSON. */
  public JsonNode body() {
    try {
      return Json.read(rawBody);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  /** All headers by their names in lower case, {@code authorization} with its value. */
  public Map<String, String> headers() {
    return headers;
  }

  /** The header of this name in any case, or an empty string. */
  public String header(String name) {
    return headers.getOrDefault(name.toLowerCase(Locale.ROOT), "");
  }

  /** Whether the client closed the connection before the answer was complete. */
  public boolean clientLeft() {
    return clientLeft;
  }

  /** Whether the simulator has finished with the request, in whatever way. */
  public boolean ended() {
    return ended;
  }

  int size() {
    return rawBody.length;
  }

  void markClientLeft() {
    clientLeft = true;
  }

  void markEnded() {
    ended = true;
  }
}
