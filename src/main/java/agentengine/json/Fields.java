package agentengine.json;

import agentengine.error.EngineException;
import agentengine.error.FieldError;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the fields of an object from outside, one typed getter a field, and collects what is wrong
 * with all of them; {@link #finish} refuses the object with every complaint at once, unknown fields
 * included. A getter whose field is bad returns a harmless value.
 */
public final class Fields {
  /** Enough to mend a typing error, and no way to make a small body into a large answer. */
  private static final int MAX_UNKNOWN = 20;

  private final ObjectNode node;
  private final String prefix;
  private final List<FieldError> errors;
  private final Set<String> known = new LinkedHashSet<>();

  private Fields(ObjectNode node, String prefix, List<FieldError> errors) {
    this.node = node;
    this.prefix = prefix;
    this.errors = errors;
  }

  /** Reads a request body, which must be an object. */
  public static Fields of(JsonNode body) {
    return of(body, "", new ArrayList<>());
  }

  /** Reads an object that stands at {@code prefix} in a larger document. */
  public static Fields of(JsonNode body, String prefix, List<FieldError> errors) {
    if (body instanceof ObjectNode object) {
      return new Fields(object, prefix, errors);
    }
    if (prefix.isEmpty()) {
      throw EngineException.badRequest("the body must be a JSON object");
    }
    errors.add(new FieldError(prefix, "must be an object"));
    return new Fields(Json.object(), prefix, errors);
  }

  public boolean has(String name) {
    known.add(name);
    return node.has(name) && !node.get(name).isNull();
  }

  /** Whether the field is there with the value null: "take it away". */
  public boolean isNull(String name) {
    known.add(name);
    return node.has(name) && node.get(name).isNull();
  }

  public void reject(String name, String message) {
    errors.add(new FieldError(path(name), message));
  }

  public String requiredString(String name, int maxLength) {
    String value = string(name, maxLength);
    if (value == null) {
      if (!has(name)) {
        reject(name, "is required");
      }
      return "";
    }
    if (value.isBlank()) {
      reject(name, "must not be blank");
    }
    return value;
  }

  public String string(String name, String fallback, int maxLength) {
    String value = string(name, maxLength);
    return value == null ? fallback : value;
  }

  /** The text of a field, or null when it is absent or not a text. */
  public @Nullable String string(String name, int maxLength) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (!value.isTextual()) {
      reject(name, "must be a string");
      return null;
    }
    return checkText(path(name), value.textValue(), maxLength) ? value.textValue() : null;
  }

  /** The name of a resource: DNS-label style. */
  public String resourceName(String name, int maxLength) {
    String value = requiredString(name, maxLength);
    if (!value.isEmpty() && !TextRules.isResourceName(value)) {
      reject(name, TextRules.RESOURCE_NAME_RULE);
    }
    return value;
  }

  /** A field that an update may repeat but not change. */
  public void unchanged(String name, String current) {
    String value = string(name, Integer.MAX_VALUE);
    if (value != null && !value.equals(current)) {
      reject(name, "cannot be changed; it is '" + current + "'");
    }
  }

  public boolean bool(String name, boolean fallback) {
    JsonNode value = value(name);
    if (value == null) {
      return fallback;
    }
    if (!value.isBoolean()) {
      reject(name, "must be true or false");
      return fallback;
    }
    return value.booleanValue();
  }

  public int integer(String name, int fallback, int min, int max) {
    Integer value = integer(name, min, max);
    return value == null ? fallback : value;
  }

  public @Nullable Integer integer(String name, int min, int max) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (!value.isIntegralNumber()) {
      reject(name, "must be a whole number");
      return null;
    }
    if (!value.canConvertToInt() || value.intValue() < min || value.intValue() > max) {
      reject(name, "must be between " + min + " and " + max);
      return null;
    }
    return value.intValue();
  }

  public @Nullable Double number(String name, double min, double max) {
    JsonNode value = value(name);
    if (value == null) {
      return null;
    }
    if (!value.isNumber()) {
      reject(name, "must be a number");
      return null;
    }
    double number = value.doubleValue();
    if (!(number >= min && number <= max)) {
      reject(name, String.format(Locale.ROOT, "must be between %s and %s", min, max));
      return null;
    }
    return number;
  }

  /** A list of distinct texts; absent means empty. */
  public List<String> strings(String name, int maxItems, int maxLength) {
    JsonNode value = value(name);
    if (value == null) {
      return List.of();
    }
    if (!value.isArray()) {
      reject(name, "must be an array of strings");
      return List.of();
    }
    if (value.size() > maxItems) {
      reject(name, "must have at most " + maxItems + " items");
      return List.of();
    }
    Set<String> texts = new LinkedHashSet<>();
    for (int i = 0; i < value.size(); i++) {
      String item = name + "[" + i + "]";
      JsonNode element = value.get(i);
      if (!element.isTextual()) {
        reject(item, "must be a string");
      } else if (checkText(path(item), element.textValue(), maxLength)
          && !texts.add(element.textValue())) {
        reject(item, "'" + element.textValue() + "' is named twice");
      }
    }
    return List.copyOf(texts);
  }

  /** One of a closed set of texts. */
  public String oneOf(String name, String fallback, Collection<String> allowed) {
    String value = string(name, fallback, 100);
    if (!allowed.contains(value)) {
      reject(name, "must be one of " + String.join(", ", allowed));
      return fallback;
    }
    return value;
  }

  /** An object whose keys are not fields of ours, or null when it is absent or not an object. */
  public @Nullable ObjectNode json(String name) {
    JsonNode value = value(name);
    if (value == null || value instanceof ObjectNode) {
      return (ObjectNode) value;
    }
    reject(name, "must be an object");
    return null;
  }

  /** The fields of a nested object; absent means empty. */
  public Fields object(String name) {
    JsonNode value = value(name);
    return of(value == null ? Json.object() : value, path(name), errors);
  }

  /** Refuses the object when anything was wrong with it. */
  public void finish() {
    complete();
    if (!errors.isEmpty()) {
      throw EngineException.invalid(errors);
    }
  }

  /** Notes the fields that nothing asked for; for an object inside a larger document. */
  public void complete() {
    int unknown = 0;
    for (String name : (Iterable<String>) node::fieldNames) {
      if (!known.contains(name) && ++unknown <= MAX_UNKNOWN) {
        reject(name, "is not a field here; known are " + String.join(", ", known));
      }
    }
  }

  private @Nullable JsonNode value(String name) {
    known.add(name);
    JsonNode value = node.get(name);
    return value == null || value.isNull() ? null : value;
  }

  private String path(String name) {
    return prefix.isEmpty() ? name : prefix + "." + name;
  }

  private boolean checkText(String path, String text, int maxLength) {
    String problem = TextRules.problem(text, maxLength);
    if (problem != null) {
      errors.add(new FieldError(path, problem));
    }
    return problem == null;
  }
}
