package agentengine.cli;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** What a chat stream tells. */
sealed interface ChatEvent {
  /** A piece of what the model thinks. */
  record Thinking(String content) implements ChatEvent {}

  /** A piece of a message. */
  record MessageDelta(String content) implements ChatEvent {}

  /** A whole message, after its pieces. */
  record Message(String content) implements ChatEvent {}

  /** A tool starts. */
  record ToolCall(String tool, JsonNode input) implements ChatEvent {}

  /** A tool has ended: with an output, or with an error. */
  record ToolResult(String tool, JsonNode output, @Nullable String error) implements ChatEvent {}

  /** A table, an information or a form. */
  record StructuredOutput(JsonNode payload) implements ChatEvent {}

  /** A tool waits for somebody's approval. */
  record Confirmation(String tool, JsonNode input, String callId) implements ChatEvent {}

  /** The turn ended without an answer. */
  record Failed(String code, String message) implements ChatEvent {}

  /** The turn ended well. */
  record Done() implements ChatEvent {}

  /** Something of a later version. */
  record Unknown(String name) implements ChatEvent {}

  /** Whether the event was stored, so that it comes once and what came before it is settled. */
  default boolean isDurable() {
    return switch (this) {
      case Thinking _, MessageDelta _, Unknown _ -> false;
      case Message _, ToolCall _, ToolResult _, StructuredOutput _, Confirmation _ -> true;
      case Failed _, Done _ -> true;
    };
  }

  static ChatEvent of(SseEvent event) throws IOException {
    JsonNode data = data(event);
    return switch (event.name()) {
      case "thinking" -> new Thinking(text(data, "content"));
      case "message_delta" -> new MessageDelta(text(data, "content"));
      case "message" -> new Message(text(data, "content"));
      case "tool_call" -> new ToolCall(text(data, "tool"), data.path("input"));
      case "tool_result" ->
          new ToolResult(text(data, "tool"), data.path("output"), data.path("error").textValue());
      case "structured_output" -> new StructuredOutput(data);
      case "confirmation" ->
          new Confirmation(text(data, "tool"), data.path("input"), text(data, "call_id"));
      case "error" -> new Failed(text(data, "code"), text(data, "message"));
      case "done" -> new Done();
      default -> new Unknown(event.name());
    };
  }

  private static JsonNode data(SseEvent event) throws IOException {
    try {
      return Json.parse(event.data());
    } catch (UncheckedIOException e) {
      throw new IOException("the engine sent an event that is not JSON", e);
    }
  }

  private static String text(JsonNode data, String field) {
    return data.path(field).asText();
  }
}
