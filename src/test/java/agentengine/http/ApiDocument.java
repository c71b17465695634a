package agentengine.http;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The operations of {@code openapi.yaml}, for tests that must not miss one that is new. */
final class ApiDocument {
  private static final Set<String> METHODS = Set.of("get", "post", "put", "delete");
  private static final JsonNode ROOT = read();

  private ApiDocument() {}

  /**
   * One method of one path.
   *
   * @param fields the fields of its JSON body with their schemas; empty when it takes none
   * @param query its query parameters with their schemas
   * @param needsQuery whether one of them must be there
   * @param scopes the scopes of which one suffices; empty when it is public
   */
  record Operation(
      String method,
      String template,
      Map<String, JsonNode> fields,
      Map<String, JsonNode> query,
      boolean needsQuery,
      Set<String> scopes) {

    boolean hasBody() {
      return !fields.isEmpty();
    }

    boolean hasName() {
      return template.contains("{");
    }

    boolean isPublic() {
      return scopes.isEmpty();
    }

    /** The path with this name in the place of each parameter. */
    String path(String name) {
      return template.replaceAll("\\{\\w+}", name);
    }

    @Override
    public String toString() {
      return method + " " + template;
    }
  }

  static List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    for (Map.Entry<String, JsonNode> item : ROOT.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> entry : item.getValue().properties()) {
        if (METHODS.contains(entry.getKey())) {
          operations.add(operation(entry.getKey(), item.getKey(), entry.getValue()));
        }
      }
    }
    return operations;
  }

  /** What the schema says, with what it refers to filled in. */
  static JsonNode resolve(JsonNode schema) {
    String reference = schema.path("$ref").asText();
    if (reference.isEmpty()) {
      return schema;
    }
    ObjectNode whole = Json.object();
    target(reference).properties().forEach(entry -> whole.set(entry.getKey(), entry.getValue()));
    schema.properties().forEach(entry -> whole.set(entry.getKey(), entry.getValue()));
    whole.remove("$ref");
    return whole;
  }

  private static JsonNode target(String reference) {
    return resolve(ROOT.at(reference.substring(1)));
  }

  private static Operation operation(String method, String template, JsonNode node) {
    JsonNode body = node.at("/requestBody/content/application~1json/schema");
    Map<String, JsonNode> fields = new LinkedHashMap<>();
    for (Map.Entry<String, JsonNode> field : resolve(body).path("properties").properties()) {
      fields.put(field.getKey(), resolve(field.getValue()));
    }
    Map<String, JsonNode> query = new LinkedHashMap<>();
    boolean needsQuery = false;
    for (JsonNode reference : node.path("parameters")) {
      JsonNode parameter = resolve(reference);
      if (parameter.path("in").asText().equals("query")) {
        query.put(parameter.path("name").asText(), resolve(parameter.path("schema")));
        needsQuery |= parameter.path("required").asBoolean();
      }
    }
    Set<String> scopes = new LinkedHashSet<>();
    node.path("x-required-scopes").forEach(scope -> scopes.add(scope.asText()));
    return new Operation(
        method.toUpperCase(Locale.ROOT), template, fields, query, needsQuery, scopes);
  }

  private static JsonNode read() {
    try (InputStream in = ApiDocument.class.getResourceAsStream("/openapi.yaml")) {
      if (in == null) {
        throw new AssertionError("openapi.yaml is not on the class path");
      }
      Load load = new Load(LoadSettings.builder().build());
      return JsonMapper.builder().build().valueToTree(load.loadFromInputStream(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
