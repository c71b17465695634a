package agentengine.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A message of the conversation that a model is shown. */
public sealed interface ChatMessage {
  /** What the person said. */
  record User(String text) implements ChatMessage {}

  /** What the model said, which tools it asked for, and what it wants to see again of it. */
  record Assistant(String text, List<ToolRequest> toolRequests, @Nullable Carry carry)
      implements ChatMessage {

    public Assistant(String text, List<ToolRequest> toolRequests) {
      this(text, toolRequests, null);
    }
  }

  /** What a tool answered to a request of the assistant message before it. */
  record ToolResult(String callId, String tool, String output) implements ChatMessage {}
}
