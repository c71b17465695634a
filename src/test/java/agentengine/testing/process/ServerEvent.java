package agentengine.testing.process;

import com.fasterxml.jackson.databind.JsonNode;

/** One frame of a chat stream. */
public record ServerEvent(String name, JsonNode data, String id) {
  /** Whether it was committed before it was told, so that a replay shows it again. */
  public boolean isDurable() {
    return !name.equals("message_delta") && !name.equals("thinking");
  }

  /** Whether the turn is over with it. */
  public boolean isEnd() {
    return name.equals("done") || name.equals("error");
  }
}
