package agentengine.tool;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.json.TextRules;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The headers that a declared tool sends, by name, whatever its case.
 *
 * @param values what is sent
 * @param takenAway names given with null, so that a stored secret of that name goes
 */
public record ToolHeaders(
    NavigableMap<String, HeaderValue> values, NavigableSet<String> takenAway) {
  private static final int MAX_HEADERS = 50;
  private static final int MAX_NAME = 200;
  private static final int MAX_VALUE = 8_000;
  private static final String ENGINE_VARIABLES = "ENGINE_";
  private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

  /** Headers that the engine or the connection sets. */
  private static final Set<String> RESERVED =
      ignoringCase(
          Set.of(
              "Host",
              "Content-Length",
              "Transfer-Encoding",
              "Content-Encoding",
              "Accept-Encoding",
              "Connection",
              "Keep-Alive",
              "Proxy-Connection",
              "Proxy-Authorization",
              "Upgrade",
              "TE",
              "Trailer",
              "Expect",
              "Idempotency-Key"));

  public ToolHeaders {
    values = Collections.unmodifiableNavigableMap(values);
    takenAway = Collections.unmodifiableNavigableSet(takenAway);
  }

  private static NavigableSet<String> ignoringCase(Set<String> names) {
    NavigableSet<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    set.addAll(names);
    return set;
  }

  /** Reads the field {@code headers}; every complaint names a header, none repeats a value. */
  static ToolHeaders read(Fields fields, UnaryOperator<@Nullable String> environment) {
    NavigableMap<String, HeaderValue> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    NavigableSet<String> takenAway = ignoringCase(Set.of());
    ObjectNode map = fields.json("headers");
    if (map != null && map.size() > MAX_HEADERS) {
      fields.reject("headers", "must have at most " + MAX_HEADERS + " entries");
    } else if (map != null) {
      for (Map.Entry<String, JsonNode> entry : map.properties()) {
        String name = entry.getKey();
        boolean again = values.containsKey(name) || takenAway.contains(name);
        String problem = again ? "is there twice" : problem(name, entry.getValue(), environment);
        if (problem != null) {
          fields.reject("headers." + shortened(name), problem);
        } else if (entry.getValue().isNull()) {
          takenAway.add(name);
        } else {
          values.put(name, new HeaderValue(new Secret(entry.getValue().textValue())));
        }
      }
    }
    return new ToolHeaders(values, takenAway);
  }

  private static String shortened(String name) {
    return name.length() <= MAX_NAME ? name : name.substring(0, MAX_NAME) + "…";
  }

  private static @Nullable String problem(
      String name, JsonNode value, UnaryOperator<@Nullable String> environment) {
    if (name.length() > MAX_NAME || !TOKEN.matcher(name).matches()) {
      return "is not a name for a header";
    }
    if (RESERVED.contains(name)) {
      return "is set by the engine";
    }
    if (value.isNull()) {
      return null;
    }
    return value.isTextual() ? problem(value.textValue(), environment) : "must be a string";
  }

  private static @Nullable String problem(
      String value, UnaryOperator<@Nullable String> environment) {
    if (value.equals(HeaderValue.HIDDEN)) {
      return "stands for a stored secret, but none is stored under this name";
    }
    if (value.chars().anyMatch(c -> (c < 0x20 && c != '\t') || c > 0x7e)) {
      return "must not hold line breaks or other than ASCII characters";
    }
    for (String variable : new HeaderValue(new Secret(value)).variables()) {
      if (variable.startsWith(ENGINE_VARIABLES)) {
        return "must not hold " + variable + ": what the engine itself runs on is not sent out";
      }
      if (environment.apply(variable) == null) {
        return "the environment variable " + variable + " is not set";
      }
    }
    return TextRules.problem(value, MAX_VALUE);
  }

  /** Those of an entry of the configuration document: a secret that it leaves out stays. */
  ToolHeaders keepingSecretsOf(ToolHeaders stored) {
    NavigableMap<String, HeaderValue> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    stored.values.forEach(
        (name, value) -> {
          if (!value.isReference() && !takenAway.contains(name)) {
            all.put(name, value);
          }
        });
    // Removed first, so that the name is spelt as in the document.
    values.keySet().forEach(all::remove);
    all.putAll(values);
    return new ToolHeaders(all, ignoringCase(Set.of()));
  }

  /** The headers as anybody may see them. */
  ObjectNode toJson() {
    ObjectNode json = Json.object();
    values.forEach((name, value) -> json.put(name, value.shown()));
    return json;
  }

  /** The headers with their secrets, to be sealed. */
  Secret toSecret() {
    return new Secret(Json.write(revealed()));
  }

  ObjectNode revealed() {
    ObjectNode json = Json.object();
    values.forEach((name, value) -> json.put(name, value.text().reveal()));
    return json;
  }

  static ToolHeaders ofSecret(Secret secret) {
    NavigableMap<String, HeaderValue> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    Json.parse(secret.reveal())
        .properties()
        .forEach(
            entry ->
                values.put(
                    entry.getKey(), new HeaderValue(new Secret(entry.getValue().textValue()))));
    return new ToolHeaders(values, ignoringCase(Set.of()));
  }
}
