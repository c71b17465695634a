package agentengine.config;

import agentengine.json.Json;
import agentengine.secret.MasterKey;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.HashMap;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Which texts of the stored definitions were written with {@code ${VAR}} in a document. A
 * definition holds the value it took; a text here counts only for as long as that value is still in
 * its place, so that a change through the API needs to know nothing of it.
 */
final class WrittenReferences {
  private static final String PURPOSE = "document.reference";

  private record Key(String part, String name) {}

  private record Spot(String place, String mark) {}

  /** How the texts of one entry were written. */
  final class OfEntry {
    private final Map<Spot, String> texts;

    private OfEntry(Map<Spot, String> texts) {
      this.texts = texts;
    }

    boolean isEmpty() {
      return texts.isEmpty();
    }

    /** How the text in that place was written, or null if it refers to nothing. */
    @Nullable String written(String place, String text) {
      return texts.isEmpty() ? null : texts.get(new Spot(place, mark(text)));
    }
  }

  private final MasterKey masterKey;

  WrittenReferences(MasterKey masterKey) {
    this.masterKey = masterKey;
  }

  private String mark(String text) {
    return masterKey.mark(text, PURPOSE);
  }

  /** All that is known, as the caller's transaction sees it. */
  All load(Handle handle) {
    Map<Key, Map<Spot, String>> entries = new HashMap<>();
    handle
        .createQuery("SELECT part, name, place, mark, written FROM document_reference")
        .map(
            (row, _) ->
                entries
                    .computeIfAbsent(
                        new Key(row.getString("part"), row.getString("name")), _ -> new HashMap<>())
                    .put(
                        new Spot(row.getString("place"), row.getString("mark")),
                        Json.parse(row.getString("written")).textValue()))
        .list();
    return new All(entries);
  }

  /** The references of all entries, which follow what is written of them. */
  final class All {
    private final Map<Key, Map<Spot, String>> entries;

    private All(Map<Key, Map<Spot, String>> entries) {
      this.entries = entries;
    }

    OfEntry of(String part, String name) {
      return new OfEntry(entries.getOrDefault(new Key(part, name), Map.of()));
    }

    /** Notes how an entry was written, once it is stored; whether that is new. */
    boolean note(Handle handle, DeclaredEntry<?> declared, Entry stored) {
      Key key = new Key(declared.part().key(), declared.name());
      Map<Spot, String> before = entries.getOrDefault(key, Map.of());
      Map<Spot, String> after = new HashMap<>(ofKeptSecrets(before, declared, stored));
      for (YamlDocument.Reference reference : declared.references()) {
        String place = reference.place().insideEntry();
        after.put(
            new Spot(place, mark(valueAt(place, stored, reference.resolved()))),
            reference.written());
      }
      if (after.equals(before)) {
        return false;
      }
      replace(handle, key, after);
      entries.put(key, after);
      return true;
    }
  }

  /** A secret that an entry does not give stays, and so does how it was written. */
  private Map<Spot, String> ofKeptSecrets(
      Map<Spot, String> before, DeclaredEntry<?> declared, Entry stored) {
    Map<Spot, String> kept = new HashMap<>();
    for (Map.Entry<String, Secret> secret : stored.secrets().entrySet()) {
      boolean given = !declared.fields().path(secret.getKey()).asText().isEmpty();
      Spot spot = new Spot(Place.pointer(secret.getKey()), mark(secret.getValue().reveal()));
      String written = before.get(spot);
      if (!given && written != null) {
        kept.put(spot, written);
      }
    }
    return kept;
  }

  /** The value as it is stored, which may be written in another way: 60s is 1m. */
  private static String valueAt(String place, Entry stored, String resolved) {
    JsonNode value = place.contains(Place.ITEM) ? null : stored.fields().at(place);
    return value != null && value.isTextual() ? value.textValue() : resolved;
  }

  private static void replace(Handle handle, Key key, Map<Spot, String> texts) {
    handle
        .createUpdate("DELETE FROM document_reference WHERE part = :part AND name = :name")
        .bind("part", key.part())
        .bind("name", key.name())
        .execute();
    texts.forEach(
        (spot, written) ->
            handle
                .createUpdate(
                    """
                    INSERT INTO document_reference (part, name, place, mark, written)
                    VALUES (:part, :name, :place, :mark, :written)
                    """)
                .bind("part", key.part())
                .bind("name", key.name())
                .bind("place", spot.place())
                .bind("mark", spot.mark())
                .bind("written", Json.write(TextNode.valueOf(written)))
                .execute());
  }
}
