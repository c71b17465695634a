package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Puts streamed tool calls of the OpenAI protocol together. Providers give every call the index 0,
 * leave indexes out, repeat ids or mix the pieces of several calls; LangChain4j trusts the index.
 * So pieces are held back here, matched by id first, and passed on at the end, one event a call.
 */
final class ToolCallPieces {
  private static final int MAX_CHARACTERS = 8 * 1024 * 1024;
  private static final String MARK = "\"tool_calls\"";

  private static final class Call {
    private final @Nullable String id;
    private final @Nullable Integer index;
    private String name;
    private final StringBuilder arguments = new StringBuilder();

    Call(@Nullable String id, @Nullable Integer index, String name) {
      this.id = id;
      this.index = index;
      this.name = name;
    }
  }

  private final List<Call> calls = new ArrayList<>();
  private int characters;

  /** The event without its pieces of calls, or null when nothing else is in it. */
  @Nullable String take(String event) {
    if (!event.contains(MARK)) {
      return event;
    }
    JsonNode root;
    try {
      root = Json.parse(event);
    } catch (UncheckedIOException _) {
      return event; // whoever reads it next complains
    }
    JsonNode choice = root.path("choices").path(0);
    if (!(choice.path("delta") instanceof ObjectNode delta)
        || !delta.path("tool_calls").isArray()) {
      return event;
    }
    delta.remove("tool_calls").forEach(this::add);
    boolean says =
        !delta.isEmpty() || choice.path("finish_reason").isTextual() || root.has("usage");
    return says ? Json.write(root) : null;
  }

  private void add(JsonNode piece) {
    JsonNode function = piece.path("function");
    String id = textOrNull(piece.path("id"));
    String name = function.path("name").asText("");
    Integer index = piece.path("index").isInt() ? piece.path("index").intValue() : null;
    Call call = find(id, index, name);
    if (call == null) {
      call = new Call(id, index, name);
      calls.add(call);
    } else if (call.name.isEmpty()) {
      call.name = name;
    }
    JsonNode arguments = function.path("arguments");
    String text = arguments.isObject() ? Json.write(arguments) : arguments.asText("");
    characters += text.length() + name.length();
    if (characters > MAX_CHARACTERS) {
      throw new ModelException(
          ModelException.Kind.MALFORMED,
          "the model's tool calls have more than " + MAX_CHARACTERS + " characters");
    }
    call.arguments.append(text);
  }

  /** The call that a piece belongs to; null when it begins one. */
  private @Nullable Call find(@Nullable String id, @Nullable Integer index, String name) {
    for (Call call : calls.reversed()) {
      if (id != null) {
        // The same id once more with a name and an index of its own is a repeated id.
        boolean repeats = !name.isEmpty() && index != null && !index.equals(call.index);
        if (id.equals(call.id) && !repeats) {
          return call;
        }
      } else if (index == null || index.equals(call.index)) {
        // A piece with a name begins a call, unless it only repeats that of an unfinished one.
        boolean begins =
            !name.isEmpty() && (!name.equals(call.name) || isObject(call.arguments.toString()));
        return begins ? null : call;
      }
    }
    // What has neither id nor name nor a known index can only go on with what came last.
    return id == null && name.isEmpty() && !calls.isEmpty() ? calls.getLast() : null;
  }

  private static boolean isObject(String text) {
    try {
      return !text.isBlank() && Json.parse(text).isObject();
    } catch (UncheckedIOException _) {
      return false;
    }
  }

  private static @Nullable String textOrNull(JsonNode node) {
    return node.isTextual() && !node.textValue().isBlank() ? node.textValue() : null;
  }

  /** Passes the calls on, whole and in the order in which they began. */
  void finish(Consumer<String> events) {
    for (int i = 0; i < calls.size(); i++) {
      Call call = calls.get(i);
      ObjectNode event = Json.object();
      ObjectNode delta = event.putArray("choices").addObject().put("index", 0).putObject("delta");
      ObjectNode piece = delta.putArray("tool_calls").addObject();
      piece.put("index", i);
      piece.put("id", call.id == null ? "call_" + i : call.id);
      piece.put("type", "function");
      piece
          .putObject("function")
          .put("name", call.name)
          .put("arguments", call.arguments.toString());
      events.accept(Json.write(event));
    }
    calls.clear();
  }
}
