package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.NullNode;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts streamed tool calls of the OpenAI protocol together. Providers give every call the index 0,
 * leave indexes out, repeat ids or mix the pieces of several calls, so pieces are matched by id
 * first, then by index, then by what can be.
 */
final class ToolCallPieces {
  private static final class Call {
    private final @Nullable String id;
    private final @Nullable Integer index;
    private String name;
    private final StringBuilder arguments = new StringBuilder();
    private JsonNode extra = MissingNode.getInstance();

    Call(@Nullable String id, @Nullable Integer index, String name) {
      this.id = id;
      this.index = index;
      this.name = name;
    }
  }

  private final List<Call> calls = new ArrayList<>();
  private final AnswerDraft draft;

  ToolCallPieces(AnswerDraft draft) {
    this.draft = draft;
  }

  void add(JsonNode piece) {
    JsonNode function = piece.path("function");
    String id = textOrNull(piece.path("id"));
    String name = function.path("name").asText("");
    Integer index = piece.path("index").isInt() ? piece.path("index").intValue() : null;
    Call call = find(id, index, name);
    if (call == null) {
      draft.countCall();
      call = new Call(id, index, name);
      calls.add(call);
    } else if (call.name.isEmpty()) {
      call.name = name;
    }
    JsonNode arguments = function.path("arguments");
    String text = arguments.isObject() ? Json.write(arguments) : arguments.asText("");
    draft.count(text);
    draft.count(name);
    call.arguments.append(text);
    if (piece.path("extra_content").isObject()) {
      call.extra = piece.path("extra_content");
    }
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
      return !text.isBlank() && Json.parseForeign(text).isObject();
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static @Nullable String textOrNull(JsonNode node) {
    return node.isTextual() && !node.textValue().isBlank() ? node.textValue() : null;
  }

  /**
   * Puts the calls into the draft, in the order in which they began. What a provider adds to calls
   * and wants back with them is returned in the same order; empty when it adds nothing.
   */
  ArrayNode finish() {
    ArrayNode extras = Json.array();
    for (Call call : calls) {
      draft.call(call.id, call.name, call.arguments.toString());
      extras.add(call.extra.isObject() ? call.extra : NullNode.getInstance());
    }
    return calls.stream().anyMatch(call -> call.extra.isObject()) ? extras : Json.array();
  }
}
