package agentengine.tool;

import agentengine.json.Json;
import agentengine.json.TextRules;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Holds the arguments of a call against a tool's JSON Schema. The validator behind it is loaded and
 * the schema compiled when the first arguments come, so that a tool nobody calls costs nothing.
 */
public final class ArgumentRules {
  private static final int MAX_SCHEMA_BYTES = 64 * 1024;
  private static final int MAX_SCHEMA_DEPTH = 40;
  private static final Set<String> REFERENCES = Set.of("$ref", "$dynamicRef", "$recursiveRef");

  private final ObjectNode schema;
  private volatile @Nullable SchemaValidator validator;

  /** Rules that a schema makes; it was accepted by {@link #schemaProblem} before. */
  public ArgumentRules(ObjectNode schema) {
    this.schema = schema;
  }

  /** What is wrong with the arguments in one sentence that a model can act on, or null. */
  public @Nullable String problem(ObjectNode arguments) {
    return validator().problem(arguments);
  }

  // Two threads may compile it at once; both results are the same.
  private SchemaValidator validator() {
    SchemaValidator compiled = validator;
    if (compiled == null) {
      compiled = SchemaValidator.compile(schema);
      validator = compiled;
    }
    return compiled;
  }

  /** Why the schema cannot describe the arguments of a tool, or null. */
  public static @Nullable String schemaProblem(ObjectNode schema) {
    String problem = treeProblem(schema, 0);
    if (problem != null) {
      return problem;
    }
    if (Json.writeBytes(schema).length > MAX_SCHEMA_BYTES) {
      return "must have at most " + MAX_SCHEMA_BYTES + " bytes of JSON";
    }
    JsonNode type = schema.path("type");
    if (!type.isMissingNode() && !type.asText().equals("object")) {
      return "must describe an object: its type must be \"object\"";
    }
    return SchemaValidator.schemaProblem(schema);
  }

  private static @Nullable String treeProblem(JsonNode node, int depth) {
    if (depth > MAX_SCHEMA_DEPTH) {
      return "must be nested at most " + MAX_SCHEMA_DEPTH + " levels deep";
    }
    if (node.isTextual()) {
      return TextRules.problem(node.textValue(), Integer.MAX_VALUE);
    }
    for (Map.Entry<String, JsonNode> entry : node.properties()) {
      String name = entry.getKey();
      String problem = TextRules.problem(name, Integer.MAX_VALUE);
      if (problem == null) {
        problem = referenceProblem(name, entry.getValue());
      }
      if (problem != null) {
        return problem;
      }
    }
    for (JsonNode child : node) {
      String problem = treeProblem(child, depth + 1);
      if (problem != null) {
        return problem;
      }
    }
    return null;
  }

  /** The engine never fetches a schema from elsewhere: that would be a request nobody sees. */
  private static @Nullable String referenceProblem(String name, JsonNode value) {
    return REFERENCES.contains(name) && value.isTextual() && !value.textValue().startsWith("#")
        ? name + " may only point into the schema itself, with a value that begins with #"
        : null;
  }
}
