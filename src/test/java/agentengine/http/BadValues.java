package agentengine.http;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Values, written as JSON, that a schema of the API's document does not allow. */
final class BadValues {
  private static final String NUL = "\"a\\u0000b\"";
  private static final String HALF_A_PAIR = "\"a\\ud83db\"";
  private static final String OTHER_HALF = "\"\\ude00\"";
  private static final int LIMIT_WORTH_TRYING = 300_000;

  private BadValues() {}

  static List<String> of(JsonNode schema) {
    Set<String> types = types(schema);
    List<String> values = new ArrayList<>(wrongTypes(types));
    if (types.contains("string")) {
      values.addAll(texts(schema));
    }
    if (types.contains("integer") || types.contains("number")) {
      values.addAll(numbers(schema));
    }
    if (types.contains("array")) {
      values.addAll(arrays(schema));
    }
    return values;
  }

  private static Set<String> types(JsonNode schema) {
    Set<String> types = new HashSet<>();
    JsonNode type = schema.path("type");
    if (type.isTextual()) {
      types.add(type.asText());
    }
    type.forEach(each -> types.add(each.asText()));
    return types;
  }

  private static List<String> wrongTypes(Set<String> types) {
    List<String> values = new ArrayList<>();
    if (types.isEmpty()) {
      return values;
    }
    boolean number = types.contains("number");
    add(values, "5", !number && !types.contains("integer"));
    add(values, "1.5", !number);
    add(values, "true", !types.contains("boolean"));
    add(values, "\"true\"", types.contains("boolean"));
    add(values, "\"5\"", !types.contains("string"));
    add(values, "{}", !types.contains("object"));
    add(values, "[]", !types.contains("array"));
    add(values, "[\"x\"]", !types.contains("array"));
    return values;
  }

  private static List<String> texts(JsonNode schema) {
    List<String> values = new ArrayList<>(List.of(NUL, HALF_A_PAIR, OTHER_HALF));
    add(values, "\"nonsense\"", schema.has("enum") || schema.has("format"));
    add(values, "\"\"", schema.has("enum"));
    int max = schema.path("maxLength").asInt(LIMIT_WORTH_TRYING);
    add(values, "\"" + "x".repeat(max + 1) + "\"", max < LIMIT_WORTH_TRYING);
    return values;
  }

  private static List<String> numbers(JsonNode schema) {
    List<String> values =
        new ArrayList<>(List.of("99999999999999999999", "-99999999999999999999", "1e300"));
    if (schema.has("minimum")) {
      values.add(String.valueOf(schema.path("minimum").asInt() - 1));
    }
    if (schema.has("maximum")) {
      values.add(String.valueOf(schema.path("maximum").asInt() + 1));
    }
    return values;
  }

  private static List<String> arrays(JsonNode schema) {
    JsonNode items = ApiDocument.resolve(schema.path("items"));
    List<String> values = new ArrayList<>();
    of(items).forEach(value -> values.add("[" + value + "]"));
    if (types(items).contains("string")) {
      values.add("[null]");
      add(values, "[\"x\", \"x\"]", schema.path("uniqueItems").asBoolean());
    }
    if (schema.has("maxItems")) {
      List<String> many = new ArrayList<>();
      for (int i = 0; i <= schema.path("maxItems").asInt(); i++) {
        many.add("\"x" + i + "\"");
      }
      values.add("[" + String.join(",", many) + "]");
    }
    return values;
  }

  private static void add(List<String> values, String value, boolean wanted) {
    if (wanted) {
      values.add(value);
    }
  }
}
