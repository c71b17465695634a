package agentengine.turn;

import agentengine.error.ErrorCode;
import agentengine.model.ToolRequest;
import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** Something that happened in a turn and that its clients are told. */
public sealed interface TurnEvent {
  /** An event that was committed before it was told; deltas and thinking are not worth it. */
  sealed interface Durable extends TurnEvent {}

  record Thinking(String content) implements TurnEvent {}

  record MessageDelta(String content) implements TurnEvent {}

  /** A complete message of the assistant. */
  record MessageComplete(String content) implements Durable {}

  /** A tool gave its result, or failed: then {@code error} says why and {@code output} is null. */
  record ToolReturned(
      ToolRequest request, String status, @Nullable JsonNode output, @Nullable String error)
      implements Durable {}

  /** The turn ended without an answer. */
  record Failed(ErrorCode code, String message) implements Durable {}

  /** The turn ended well. */
  record Done(String sessionId, int tokens) implements Durable {}
}
