package agentengine.tool;

import agentengine.model.ToolDefinition;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something an agent may call. Only the door of a turn runs one. */
public interface Tool {
  ToolDefinition definition();

  Effect effect();

  /** Whether a person must agree before each call. */
  default boolean confirmBefore() {
    return false;
  }

  /** How long a call may take; null leaves it to the settings. */
  default @Nullable Duration timeout() {
    return null;
  }

  /** What is wrong with the arguments, for the model to read, or null. */
  @Nullable String problem(ObjectNode arguments);

  /**
   * Runs a call whose arguments were checked, on the calling virtual thread; an interrupt ends it.
   *
   * @param callId the same when a call is run again after a crash
   * @return the tool's JSON value, or a text node
   * @throws ToolFailure when the call failed, for a reason that the model may read
   */
  JsonNode run(String callId, ObjectNode arguments) throws ToolFailure, InterruptedException;

  default String name() {
    return definition().name();
  }
}
