package agentengine.trace;

import org.jspecify.annotations.Nullable;

/** Traces nothing and costs nothing; it is the span of its own, too. */
public enum NoTracing implements Tracing, Span {
  OFF;

  @Override
  public Span turn(
      String agent, String sessionId, int number, int attempt, @Nullable String taskId) {
    return this;
  }

  @Override
  public Span modelCall(String provider, String model, String baseUrl) {
    return this;
  }

  @Override
  public Span toolCall(String tool, String callId) {
    return this;
  }

  @Override
  public void continued(@Nullable String traceparent, Runnable work) {
    work.run();
  }

  @Override
  public void used(
      int inputTokens, int outputTokens, int cacheRead, int cacheWritten, int reasoning) {}

  @Override
  public void end(@Nullable String problem) {}

  @Override
  public void close() {}
}
