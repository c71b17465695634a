package agentengine.config;

import agentengine.json.Json;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Writes what is stored as a document: parts in their order, names in theirs, of each entry the
 * fields that are not at their defaults, references as they were written, and no secrets.
 */
final class Export {
  private final List<Part<?>> parts;
  private final WrittenReferences references;

  Export(List<Part<?>> parts, WrittenReferences references) {
    this.parts = parts;
    this.references = references;
  }

  /** The document of all definitions. */
  String document(Handle handle) {
    WrittenReferences.All written = references.load(handle);
    ObjectNode document = Json.object().put("version", 1);
    for (Part<?> part : parts) {
      ObjectNode entries = Json.object();
      part.stored(handle)
          .forEach(
              (name, entry) -> {
                ObjectNode fields = fields(part, entry, written.of(part.key(), name));
                if (!fields.isEmpty()) {
                  entries.set(name, fields);
                }
              });
      if (!entries.isEmpty()) {
        document.set(part.key(), entries);
      }
    }
    return YamlWriter.write(document);
  }

  /** A document for each entry that took something from the environment. */
  List<String> entriesWithReferences(Handle handle) {
    WrittenReferences.All written = references.load(handle);
    List<String> documents = new ArrayList<>();
    for (Part<?> part : parts) {
      part.stored(handle)
          .forEach(
              (name, entry) -> {
                WrittenReferences.OfEntry ofEntry = written.of(part.key(), name);
                if (!ofEntry.isEmpty()) {
                  ObjectNode document = Json.object().put("version", 1);
                  document.putObject(part.key()).set(name, fields(part, entry, ofEntry));
                  documents.add(YamlWriter.write(document));
                }
              });
    }
    return documents;
  }

  private static ObjectNode fields(
      Part<?> part, Entry entry, WrittenReferences.OfEntry references) {
    ObjectNode fields = Json.object();
    for (Map.Entry<String, JsonNode> field : entry.fields().properties()) {
      String name = field.getKey();
      JsonNode value = field.getValue();
      JsonNode written =
          part.fieldsThatKeepReferences().contains(name)
              ? value
              : written(value, Place.pointer(name), references);
      boolean isDefault = value.equals(entry.defaults().get(name));
      if (!isDefault || !written.equals(value)) {
        fields.set(name, written);
      }
    }
    for (Map.Entry<String, Secret> secret : entry.secrets().entrySet()) {
      String written =
          references.written(Place.pointer(secret.getKey()), secret.getValue().reveal());
      if (written != null && VariableText.hasOnlyReferences(written)) {
        fields.put(secret.getKey(), written);
      }
    }
    return fields;
  }

  private static JsonNode written(
      JsonNode value, String place, WrittenReferences.OfEntry references) {
    return switch (value) {
      case ObjectNode object -> {
        ObjectNode copy = Json.object();
        object
            .properties()
            .forEach(
                field ->
                    copy.set(
                        field.getKey(),
                        written(
                            field.getValue(), place + Place.pointer(field.getKey()), references)));
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = Json.array();
        String item = place + Place.pointer(Place.ITEM);
        array.forEach(each -> copy.add(written(each, item, references)));
        yield copy;
      }
      case TextNode text -> {
        @Nullable String reference = references.written(place, text.textValue());
        yield TextNode.valueOf(
            reference == null ? VariableText.escaped(text.textValue()) : reference);
      }
      default -> value;
    };
  }
}
