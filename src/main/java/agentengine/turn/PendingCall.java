package agentengine.turn;

import com.fasterxml.jackson.databind.JsonNode;

/** A tool call that waits for a person's word. */
public record PendingCall(String callId, String tool, JsonNode input) {
  /** Whether it waits for words, and not for an approval. */
  public boolean isQuestion() {
    return tool.equals(AskUserTool.NAME);
  }

  public String question() {
    return input.path("question").asText();
  }
}
