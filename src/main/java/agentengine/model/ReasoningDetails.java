package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** OpenRouter's reasoning details: streamed in pieces, given back in one piece an entry. */
final class ReasoningDetails {
  private static final List<String> GROWING = List.of("text", "summary");
  private static final String SIGNATURE = "signature";

  private final ArrayNode entries = Json.array();

  void add(JsonNode piece) {
    if (!(piece instanceof ObjectNode entry)) {
      return;
    }
    if (!entries.isEmpty()
        && entries.get(entries.size() - 1) instanceof ObjectNode last
        && continues(last, entry)) {
      for (String field : GROWING) {
        if (entry.path(field).isTextual()) {
          last.put(field, last.path(field).asText("") + entry.path(field).asText());
        }
      }
      if (entry.path(SIGNATURE).isTextual()) {
        last.set(SIGNATURE, entry.path(SIGNATURE));
      }
      return;
    }
    entries.add(entry);
  }

  /** Pieces of one entry follow each other; what is encrypted always comes whole. */
  private static boolean continues(ObjectNode last, ObjectNode entry) {
    return last.path("type").equals(entry.path("type"))
        && last.path("index").equals(entry.path("index"))
        && !entry.has("data")
        && !last.path(SIGNATURE).isTextual();
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  ArrayNode all() {
    return entries;
  }
}
