package agentengine.model;

import java.util.List;

/** A model's complete answer to one call. */
public record ModelAnswer(String text, List<ToolRequest> toolRequests, Usage usage) {

  /** What the call used, as the provider counted it, or estimated when it did not say. */
  public record Usage(int inputTokens, int outputTokens, boolean estimated) {
    public int total() {
      return inputTokens + outputTokens;
    }
  }
}
