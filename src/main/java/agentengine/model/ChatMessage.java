package agentengine.model;

import java.util.List;

/** A message of the conversation that a model is shown. */
public sealed interface ChatMessage {
  /** What the person said. */
  record User(String text) implements ChatMessage {}

  /** What the model said, and which tools it asked for. */
  record Assistant(String text, List<ToolRequest> toolRequests) implements ChatMessage {}

  /** What a tool answered to a request of the assistant message before it. */
  record ToolResult(String callId, String tool, String output) implements ChatMessage {}
}
