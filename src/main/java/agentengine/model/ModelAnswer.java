package agentengine.model;

import agentengine.trace.Span;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A model's complete answer to one call. */
public record ModelAnswer(
    String text, List<ToolRequest> toolRequests, Usage usage, @Nullable Carry carry) {

  /**
   * What the call used, as the provider counted it, or estimated when it did not say.
   *
   * @param inputTokens the whole prompt, also what came from a cache or went into one
   * @param outputTokens the whole answer, thinking included
   * @param cachedTokens the part of the prompt that the provider had in its cache
   * @param cacheWrittenTokens the part of the prompt that the provider charged for caching
   * @param reasoningTokens the part of the answer that was thinking
   */
  public record Usage(
      int inputTokens,
      int outputTokens,
      int cachedTokens,
      int cacheWrittenTokens,
      int reasoningTokens,
      boolean estimated) {

    /** A use of which only the two sums are known. */
    public static Usage of(int inputTokens, int outputTokens) {
      return new Usage(inputTokens, outputTokens, 0, 0, 0, false);
    }

    void tell(Span span) {
      span.used(inputTokens, outputTokens, cachedTokens, cacheWrittenTokens, reasoningTokens);
    }

    public int total() {
      return inputTokens + outputTokens;
    }
  }
}
