package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** OpenRouter's reasoning details: streamed in pieces, given back in one piece an entry. */
final class ReasoningDetails {
  private static final List<String> GROWING = List.of("text", "summary");
  private static final String SIGNATURE = "signature";

  /** An entry while it grows. */
  private static final class Entry {
    private final ObjectNode first;
    private final Map<String, StringBuilder> texts = new LinkedHashMap<>();

    Entry(ObjectNode first) {
      this.first = first;
      grow(first);
    }

    void grow(ObjectNode piece) {
      for (String field : GROWING) {
        if (piece.path(field).isTextual()) {
          texts
              .computeIfAbsent(field, _ -> new StringBuilder())
              .append(piece.path(field).textValue());
        }
      }
      if (piece.path(SIGNATURE).isTextual()) {
        first.set(SIGNATURE, piece.path(SIGNATURE));
      }
    }

    /** Pieces of one entry follow each other; what is encrypted always comes whole. */
    boolean goesOnWith(ObjectNode piece) {
      return first.path("type").equals(piece.path("type"))
          && first.path("index").equals(piece.path("index"))
          && !piece.has("data")
          && !first.path(SIGNATURE).isTextual();
    }

    ObjectNode whole() {
      texts.forEach((field, text) -> first.put(field, text.toString()));
      return first;
    }
  }

  private final AnswerDraft draft;
  private final List<Entry> entries = new ArrayList<>();

  ReasoningDetails(AnswerDraft draft) {
    this.draft = draft;
  }

  void add(JsonNode detail) {
    if (!(detail instanceof ObjectNode piece)) {
      return;
    }
    draft.count(Json.write(piece));
    if (!entries.isEmpty() && entries.getLast().goesOnWith(piece)) {
      entries.getLast().grow(piece);
    } else {
      entries.add(new Entry(piece));
    }
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  ArrayNode all() {
    ArrayNode all = Json.array();
    entries.forEach(entry -> all.add(entry.whole()));
    return all;
  }
}
