package agentengine.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that one model call depends on, beside the model itself. */
public record ModelRequest(
    String system, List<ChatMessage> messages, List<ToolDefinition> tools, Sampling sampling) {

  /** How the model picks its words; null leaves it to the provider. */
  public record Sampling(
      @Nullable Double temperature, @Nullable Double topP, @Nullable Integer maxTokens) {}
}
