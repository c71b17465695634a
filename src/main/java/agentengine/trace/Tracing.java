package agentengine.trace;

import org.jspecify.annotations.Nullable;

/**
 * Begins the spans of what the engine does. The parent of a span is the one whose work begins it;
 * work that goes on in a thread of its own takes it along ({@link #carried}).
 */
public interface Tracing extends AutoCloseable {
  /**
   * An attempt at a turn, of a root or a sub-agent.
   *
   * @param taskId the task it works on, if it does
   */
  Span turn(String agent, String sessionId, int number, int attempt, @Nullable String taskId);

  /**
   * One request to a model.
   *
   * @param provider by the name that the conventions have for it
   */
  Span modelCall(String provider, String model, String baseUrl);

  /** The run of a tool, after a person agreed where one must. */
  Span toolCall(String tool, String callId);

  /**
   * Does the work as part of the trace that a client's header names; without a good one, just so.
   */
  void continued(@Nullable String traceparent, Runnable work);

  /** The same work, for another thread: spans that begin there have the parent they had here. */
  static Runnable carried(Runnable work) {
    return CurrentSpan.carried(work);
  }

  /** Sends what is left, if that can be done in a moment. */
  @Override
  void close();
}
