package agentengine.turn;

import agentengine.error.ErrorCode;
import agentengine.model.ToolRequest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Something that happened in a turn and that its clients are told. */
public sealed interface TurnEvent {
  /** An event that was committed before it was told; deltas and thinking are not worth it. */
  sealed interface Durable extends TurnEvent {}

  record Thinking(String content) implements TurnEvent {}

  record MessageDelta(String content) implements TurnEvent {}

  /** A complete message of the assistant. */
  record MessageComplete(String content) implements Durable {}

  /** A tool, perhaps of a sub-agent, is about to run once a person has agreed. */
  record ConfirmationAsked(String callId, String tool, JsonNode input) implements Durable {}

  /** A tool starts. */
  record ToolStarted(String callId, String tool, JsonNode input) implements Durable {}

  /** A tool gave its result, or failed: then {@code error} says why and {@code output} is null. */
  record ToolReturned(
      ToolRequest request, String status, @Nullable JsonNode output, @Nullable String error)
      implements Durable {}

  /** The agent shows something; the turn ends right after. */
  record StructuredOutputShown(String callId, ObjectNode payload) implements Durable {}

  /** The turn ended without an answer. */
  record Failed(ErrorCode code, String message) implements Durable {}

  /** The turn ended well. */
  record Done(String sessionId, int tokens) implements Durable {}

  /** Whether nothing comes after it. */
  default boolean ends() {
    return this instanceof Done || this instanceof Failed;
  }
}
