package agentengine.simulator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An answer that is collected and sent as one {@code chat.completion}. */
final class WholeAnswer implements Answer {
  private final String model;
  private final Reply reply;
  private final StringBuilder text = new StringBuilder();
  private final StringBuilder thinking = new StringBuilder();
  private final List<ToolPiece> toolCalls = new ArrayList<>();

  WholeAnswer(String model, Reply reply) {
    this.model = model;
    this.reply = reply;
  }

  @Override
  public void begin() {
    // Nothing of a JSON object can be sent before it is complete.
  }

  @Override
  public void text(String piece) {
    text.append(piece);
  }

  @Override
  public void thinking(String piece) {
    thinking.append(piece);
  }

  @Override
  public void toolCall(ToolPiece piece) {
    if (piece.name() != null) {
      toolCalls.add(piece);
    } else {
      ToolPiece open = toolCalls.removeLast();
      String arguments = open.arguments() + piece.arguments();
      toolCalls.add(new ToolPiece(open.index(), open.id(), open.name(), arguments));
    }
  }

  @Override
  public void line(String line) {
    // A line belongs to an event stream; there is no place for it here.
  }

  @Override
  public void flush() {
    // As with begin().
  }

  @Override
  public void finish(@Nullable String reason, @Nullable TokenUsage usage) {
    ObjectNode answer = Answer.envelope("chat.completion", model);
    ObjectNode choice = answer.putArray("choices").addObject().put("index", 0);
    choice.set("message", message());
    choice.put("finish_reason", reason);
    if (usage != null) {
      answer.set("usage", usage.toJson());
    }
    reply.json(answer);
  }

  @Override
  public void fail(ApiError error) {
    reply.error(error, null);
  }

  @Override
  public void end() {
    reply.nothing();
  }

  private ObjectNode message() {
    ObjectNode message = Json.object().put("role", "assistant");
    message.put("content", text.isEmpty() && !toolCalls.isEmpty() ? null : text.toString());
    if (!thinking.isEmpty()) {
      message.put("reasoning_content", thinking.toString());
    }
    if (!toolCalls.isEmpty()) {
      ArrayNode calls = message.putArray("tool_calls");
      toolCalls.forEach(call -> calls.add(call.toJson()));
    }
    return message;
  }
}
