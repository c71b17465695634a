package agentengine.model;

import org.jspecify.annotations.Nullable;

/**
 * What came of trying a model.
 *
 * @param responseTimeMs how long the ping took, until its answer was complete or it failed
 * @param error why the provider cannot be used; null when it can
 */
public record ModelVerification(
    ToolCalling toolCalling, long responseTimeMs, @Nullable String error) {

  /** Whether the model calls tools. */
  public enum ToolCalling {
    SUPPORTED,
    NOT_DETECTED,
    /** Nobody asked, since there was no answer to the ping. */
    SKIPPED
  }

  public boolean isReachable() {
    return error == null;
  }
}
