package agentengine.model;

import java.util.List;

/** A rough count of tokens where no provider counted them: four characters make one. */
public final class TokenEstimate {
  private static final int CHARACTERS_PER_TOKEN = 4;
  private static final int MESSAGE_OVERHEAD = 4;

  private TokenEstimate() {}

  public static int ofText(String text) {
    return (text.length() + CHARACTERS_PER_TOKEN - 1) / CHARACTERS_PER_TOKEN;
  }

  /** The estimate of a text as a message, with its role and separators. */
  public static int ofMessage(String text) {
    return MESSAGE_OVERHEAD + ofText(text);
  }

  public static int of(ChatMessage message) {
    return switch (message) {
      case ChatMessage.User user -> ofMessage(user.text());
      case ChatMessage.ToolResult result -> ofMessage(result.output());
      case ChatMessage.Assistant assistant ->
          ofMessage(assistant.text())
              + assistant.toolRequests().stream()
                  .mapToInt(request -> ofMessage(request.tool() + request.arguments()))
                  .sum();
    };
  }

  /** The estimate of everything that a request sends. */
  public static int of(ModelRequest request) {
    int sum = ofMessage(request.system());
    for (ChatMessage message : request.messages()) {
      sum += of(message);
    }
    return sum + of(request.tools());
  }

  /** The estimate of what a model is told about its tools. */
  public static int of(List<ToolDefinition> tools) {
    int sum = 0;
    for (ToolDefinition tool : tools) {
      sum += ofMessage(tool.name() + tool.description() + tool.parameters());
    }
    return sum;
  }
}
