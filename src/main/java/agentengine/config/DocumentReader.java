package agentengine.config;

import agentengine.error.FieldError;
import agentengine.json.Fields;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Reads what a document declares, and adds to its errors all that is wrong with it. */
final class DocumentReader {
  /** All are written in one transaction, which others wait for. */
  private static final int MAX_ENTRIES = 5_000;

  /** With so much to mend, the store need not be asked what else is wrong. */
  private static final int ENOUGH_ERRORS = 200;

  private final List<Part<?>> parts;

  DocumentReader(List<Part<?>> parts) {
    this.parts = parts;
  }

  /**
   * The entries that have a usable name, in the order of the parts.
   *
   * @throws ConfigurationException when it is not a map at all, or far too much is wrong
   */
  List<DeclaredEntry<?>> read(YamlDocument document) {
    JsonNode root = document.root();
    if (!root.isObject()) {
      document
          .errors()
          .add(new FieldError("", "the document must be a map that begins with version: 1"));
      throw new ConfigurationException(document.problems());
    }
    Fields fields = Fields.of(root, "", document.errors());
    if (!fields.has("version")) {
      fields.reject("version", "is required; this program reads version 1");
    } else if (!root.get("version").equals(LongNode.valueOf(1))) {
      fields.reject("version", "must be 1, the version that this program reads");
    }
    List<DeclaredEntry<?>> entries = new ArrayList<>();
    for (Part<?> part : parts) {
      entries.addAll(entries(document, fields, part));
    }
    for (String part : Parts.LATER) {
      if (fields.has(part) && !root.get(part).equals(Json.object())) {
        fields.reject(part, "cannot be configured in this version");
      }
    }
    fields.complete();
    if (entries.size() > MAX_ENTRIES) {
      fields.reject(
          "", "the document has more than " + MAX_ENTRIES + " entries; split it into several");
    }
    if (entries.size() > MAX_ENTRIES || document.errors().size() > ENOUGH_ERRORS) {
      throw new ConfigurationException(document.problems());
    }
    return entries;
  }

  private static <S> List<DeclaredEntry<S>> entries(
      YamlDocument document, Fields fields, Part<S> part) {
    List<DeclaredEntry<S>> entries = new ArrayList<>();
    if (!fields.has(part.key())) {
      return entries;
    }
    JsonNode map = document.root().get(part.key());
    if (!map.isObject()) {
      fields.reject(part.key(), "must be a map of names to definitions");
      return entries;
    }
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      String problem = part.nameProblem(entry.getKey());
      if (problem != null) {
        document.errors().add(new FieldError(part.key() + "." + entry.getKey(), problem));
      }
      if (problem == null || !part.hasFixedNames()) {
        DeclaredEntry<S> declared = entry(document, part, entry.getKey(), entry.getValue());
        if (problem == null) {
          entries.add(declared);
        }
      }
    }
    return entries;
  }

  private static <S> DeclaredEntry<S> entry(
      YamlDocument document, Part<S> part, String name, JsonNode node) {
    JsonNode given = node.isNull() && part.hasFixedNames() ? Json.object() : node;
    Fields fields = Fields.of(given, part.key() + "." + name, document.errors());
    if (!part.hasFixedNames()) {
      fields.unchanged("name", name);
    }
    S definition = part.read(name, fields);
    fields.complete();
    return new DeclaredEntry<>(
        part, name, definition, given, document.references(part.key(), name));
  }
}
