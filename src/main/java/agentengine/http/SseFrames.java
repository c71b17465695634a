package agentengine.http;

import agentengine.json.Json;
import agentengine.turn.LoggedEvent;
import agentengine.turn.TurnEvent;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Turn events as frames of a stream: an event line, a data line, an id line, a blank line. */
final class SseFrames {
  private static final JsonStringEncoder QUOTE = JsonStringEncoder.getInstance();
  private static final byte[] DELTA = ascii("event: message_delta\ndata: {\"content\":\"");
  private static final byte[] THINKING = ascii("event: thinking\ndata: {\"content\":\"");
  private static final byte[] END_OF_CONTENT = ascii("\"}\nid: ");
  private static final byte[] END_OF_FRAME = ascii("\n\n");

  /** A frame that says nothing, so that both sides see the connection is alive. */
  static final byte[] HEARTBEAT = ascii(":\n\n");

  private SseFrames() {}

  static void write(LoggedEvent logged, ByteArrayOutputStream out) {
    switch (logged.event()) {
      // These come by the thousand: no tree, no generator.
      case TurnEvent.MessageDelta(String content) -> content(DELTA, content, logged, out);
      case TurnEvent.Thinking(String content) -> content(THINKING, content, logged, out);
      case TurnEvent.MessageComplete(String content) ->
          frame(
              "message",
              Json.object().put("content", content).put("role", "assistant"),
              logged,
              out);
      case TurnEvent.ConfirmationAsked(String callId, String tool, JsonNode input) -> {
        ObjectNode data = Json.object().put("tool", tool);
        data.set("input", input);
        frame("confirmation", data.put("call_id", callId), logged, out);
      }
      case TurnEvent.ToolStarted(_, String tool, JsonNode input) -> {
        ObjectNode data = Json.object().put("tool", tool);
        data.set("input", input);
        frame("tool_call", data, logged, out);
      }
      case TurnEvent.ToolReturned returned ->
          frame("tool_result", toolResult(returned), logged, out);
      case TurnEvent.StructuredOutputShown(_, ObjectNode payload) ->
          frame("structured_output", payload, logged, out);
      case TurnEvent.Failed(var code, String message) ->
          frame(
              "error",
              Json.object().put("message", message).put("code", code.wireName()),
              logged,
              out);
      case TurnEvent.Done(String sessionId, int tokens) ->
          frame(
              "done",
              Json.object().put("session_id", sessionId).put("tokens", tokens),
              logged,
              out);
    }
  }

  private static ObjectNode toolResult(TurnEvent.ToolReturned returned) {
    ObjectNode data = Json.object().put("tool", returned.request().tool());
    data.set("output", returned.output());
    data.put("error", returned.error());
    return data;
  }

  private static void content(
      byte[] start, String content, LoggedEvent logged, ByteArrayOutputStream out) {
    out.writeBytes(start);
    out.writeBytes(QUOTE.quoteAsUTF8(content));
    out.writeBytes(END_OF_CONTENT);
    out.writeBytes(ascii(logged.id().toString()));
    out.writeBytes(END_OF_FRAME);
  }

  private static void frame(
      String event, JsonNode data, LoggedEvent logged, ByteArrayOutputStream out) {
    out.writeBytes(ascii("event: " + event + "\ndata: "));
    out.writeBytes(Json.writeBytes(data));
    out.writeBytes(ascii("\nid: " + logged.id() + "\n\n"));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }
}
