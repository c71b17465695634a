package agentengine.tool;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.time.Durations;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A tool declared as an HTTP call: what a model is told of it, and the call it stands for. */
public record ToolSpec(
    String name,
    String description,
    ObjectNode parameters,
    Call call,
    @Nullable Duration timeout,
    Effect effect,
    boolean confirmBefore) {

  /** The HTTP call. */
  public record Call(String method, UrlTemplate url, ToolHeaders headers) {}

  public static final int MAX_NAME = 64;
  public static final String NAME_RULE =
      "must be lower-case letters, digits and single underscores, begin with a letter and have at"
          + " most "
          + MAX_NAME
          + " characters";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]*");
  private static final int MAX_DESCRIPTION = 4_000;
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
  private static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE");

  /** Tools that an agent gets in other ways than by naming them. */
  private static final Set<String> COMING_BY_THEMSELVES =
      Set.of("knowledge_search", "ask_user", "create_task");

  /** What is wrong with a name for a declared tool, or null. */
  public static @Nullable String nameProblem(String name) {
    if (name.length() > MAX_NAME || !NAME.matcher(name).matches() || name.contains("__")) {
      return NAME_RULE;
    }
    if (name.startsWith("spawn_")) {
      return "must not begin with spawn_, which is how sub-agents are called";
    }
    return BuiltInTools.names().contains(name) || COMING_BY_THEMSELVES.contains(name)
        ? "'" + name + "' is a tool of the engine itself; choose another name"
        : null;
  }

  /**
   * Reads the fields beside the name.
   *
   * @param environment where {@code ${VAR}} in a header will be looked up
   */
  public static ToolSpec read(
      String name, Fields fields, UnaryOperator<@Nullable String> environment) {
    ObjectNode parameters = parameters(fields);
    return new ToolSpec(
        name,
        fields.string("description", "", MAX_DESCRIPTION),
        parameters,
        new Call(
            fields.oneOf("method", METHODS.getFirst(), METHODS),
            url(fields, parameters),
            ToolHeaders.read(fields, environment)),
        timeout(fields),
        Effect.ofWireName(fields.oneOf("effect", Effect.UNSAFE.wireName(), Effect.wireNames())),
        fields.bool("confirm_before", false));
  }

  private static ObjectNode parameters(Fields fields) {
    ObjectNode parameters = fields.json("parameters");
    if (parameters == null) {
      return Json.object().put("type", "object");
    }
    String problem = ArgumentRules.schemaProblem(parameters);
    if (problem != null) {
      fields.reject("parameters", problem);
    }
    // A model's provider wants the type said.
    ObjectNode whole = Json.object().put("type", "object");
    return whole.setAll(parameters);
  }

  private static UrlTemplate url(Fields fields, ObjectNode parameters) {
    UrlTemplate url = new UrlTemplate(fields.requiredString("url", UrlTemplate.MAX_LENGTH));
    if (url.text().isBlank()) {
      return url;
    }
    String problem = url.problem();
    if (problem != null) {
      fields.reject("url", problem);
      return url;
    }
    for (String place : url.places()) {
      if (!parameters.path("properties").has(place)) {
        fields.reject(
            "url", "takes the argument '" + place + "', which is no property of parameters");
      }
    }
    return url;
  }

  private static @Nullable Duration timeout(Fields fields) {
    String text = fields.string("timeout", 50);
    if (text == null) {
      return null;
    }
    try {
      Duration timeout = Durations.parse(text);
      if (timeout.isPositive() && timeout.compareTo(MAX_TIMEOUT) <= 0) {
        return timeout;
      }
      fields.reject("timeout", "must be more than 0 and at most " + Durations.format(MAX_TIMEOUT));
    } catch (IllegalArgumentException _) {
      fields.reject("timeout", "must be a duration like 500ms, 30s or 1m");
    }
    return null;
  }

  /** The spec that {@link #toJson} wrote and its headers, which are kept apart. */
  static ToolSpec ofStored(JsonNode definition, ToolHeaders headers) {
    JsonNode timeout = definition.path("timeout");
    return new ToolSpec(
        definition.path("name").asText(),
        definition.path("description").asText(),
        (ObjectNode) definition.get("parameters"),
        new Call(
            definition.path("method").asText(),
            new UrlTemplate(definition.path("url").asText()),
            headers),
        timeout.isTextual() ? Durations.parse(timeout.textValue()) : null,
        Effect.ofWireName(definition.path("effect").asText()),
        definition.path("confirm_before").asBoolean());
  }

  /** The definition with the API's field names; secrets in its headers are hidden. */
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    json.put("name", name);
    json.put("description", description);
    json.put("method", call.method());
    json.put("url", call.url().text());
    json.set("headers", call.headers().toJson());
    json.set("parameters", parameters);
    json.put("timeout", timeout == null ? null : Durations.format(timeout));
    json.put("effect", effect.wireName());
    json.put("confirm_before", confirmBefore);
    return json;
  }

  /** The spec of an entry of the configuration document: a secret that it leaves out stays. */
  public ToolSpec keepingSecretsOf(ToolSpec stored) {
    return with(call.headers().keepingSecretsOf(stored.call().headers()));
  }

  private ToolSpec with(ToolHeaders headers) {
    return new ToolSpec(
        name,
        description,
        parameters,
        new Call(call.method(), call.url(), headers),
        timeout,
        effect,
        confirmBefore);
  }
}
