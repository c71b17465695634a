package agentengine.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.networknt.schema.DisallowUnknownKeywordFactory;
import com.networknt.schema.JsonMetaSchema;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.NonValidationKeyword;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/**
 * The API document {@code openapi.yaml} as a judge: a response or a stream event that it does not
 * describe is an {@link AssertionError} that names every violation. Immutable, so any number of
 * threads may use it at once.
 */
public final class OpenApiContract {
  private static final Set<String> METHODS = Set.of("get", "put", "post", "delete", "patch");

  /** What the server may answer before it has found an operation, or when there is none. */
  private static final Map<Integer, String> OUTSIDE_ANY_OPERATION =
      Map.of(
          400, "InvalidRequest",
          401, "Unauthorized",
          404, "NotFound",
          405, "MethodNotAllowed",
          413, "PayloadTooLarge",
          429, "RateLimited",
          500, "InternalError",
          503, "Overloaded");

  private static final Set<String> FRAME_LINES = Set.of("event", "data", "id");
  private static final Set<String> LAST_EVENTS = Set.of("done", "error");
  private static final Pattern EVENT_ID = Pattern.compile("[^.\\s]+\\.\\d+\\.\\d+");
  private static final Pattern INTEGER = Pattern.compile("-?\\d{1,18}");
  private static final int SHOWN_BODY_CHARS = 500;

  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private final Document document;
  private final List<PathItem> mostLiteralFirst;
  private final Map<Integer, Response> outside;
  private final Response noContent;
  private final Map<String, JsonSchema> events;

  private OpenApiContract(Document document) {
    this.document = document;
    this.mostLiteralFirst = document.pathItems();
    this.outside = document.sharedResponses(OUTSIDE_ANY_OPERATION);
    this.noContent = document.sharedResponse("NoContent");
    this.events = document.events();
  }

  /** The contract of the document on the class path, read once. */
  public static OpenApiContract instance() {
    return OnClassPath.CONTRACT;
  }

  /** The contract of another document, for tests of this class. */
  static OpenApiContract of(String yaml) {
    return new OpenApiContract(new Document(yaml));
  }

  /** Every documented operation, like {@code GET /api/v1/agents/{name}}. */
  public Set<String> operations() {
    return requiredScopes().keySet();
  }

  /** The scopes of which one suffices, for each operation; empty where it is public. */
  public Map<String, Set<String>> requiredScopes() {
    Map<String, Set<String>> scopes = new TreeMap<>();
    for (PathItem item : mostLiteralFirst) {
      item.operations.values().forEach(each -> scopes.put(each.name, each.scopes));
    }
    return Collections.unmodifiableMap(scopes);
  }

  /**
   * Holds one response against the document.
   *
   * @param path the concrete path of the request, with or without a query
   * @param contentType as received, parameters included; null when there was none
   */
  public void check(
      String method,
      String path,
      int status,
      @Nullable String contentType,
      Map<String, List<String>> headers,
      byte[] body) {
    PathItem item = find(path);
    String name = method + " " + (item == null ? path : item.template);
    Map<Integer, Response> allowed = allowedResponses(method, item);
    Response response = allowed.get(status);
    List<String> violations =
        response == null
            ? List.of("the status is not documented; documented are " + sorted(allowed.keySet()))
            : violations(response, method, mediaType(contentType), headers, body);
    if (!violations.isEmpty()) {
      throw new AssertionError(report(name + " answered " + status, violations, body));
    }
  }

  /** Holds the data of one event of a chat stream against the document. */
  public void checkEvent(String event, String json) {
    List<String> violations = eventViolations(event, json);
    if (!violations.isEmpty()) {
      throw new AssertionError(report("event " + event, violations, json.getBytes(UTF_8)));
    }
  }

  JsonNode document() {
    return document.root;
  }

  List<String> violations(JsonPointer schema, JsonNode value) {
    return violations(document.schemaAt(schema), "value", value);
  }

  private @Nullable PathItem find(String path) {
    List<String> segments = segments(path.split("\\?", 2)[0]);
    for (PathItem item : mostLiteralFirst) {
      if (item.matches(segments)) {
        return item;
      }
    }
    return null;
  }

  private Map<Integer, Response> allowedResponses(String method, @Nullable PathItem item) {
    if (method.equals("OPTIONS")) {
      return item == null ? with(outside, 204, noContent) : Map.of(204, noContent);
    }
    if (item == null) {
      return outside;
    }
    Operation operation = item.operations.get(method.equals("HEAD") ? "GET" : method);
    return operation == null ? without(outside, 404) : operation.responses;
  }

  private List<String> violations(
      Response response,
      String method,
      String mediaType,
      Map<String, List<String>> headers,
      byte[] body) {
    List<String> violations = new ArrayList<>(headerViolations(response, headers));
    boolean bodyless = method.equals("HEAD") || response.content.isEmpty();
    if (bodyless && body.length > 0) {
      violations.add("the body must be empty");
    }
    if (bodyless && mediaType.isEmpty()) {
      return violations;
    }
    JsonSchema schema = response.content.get(mediaType);
    if (schema == null) {
      violations.add(
          "the content type '%s' is not documented; documented are %s"
              .formatted(mediaType, sorted(response.content.keySet())));
    } else if (!bodyless) {
      violations.addAll(bodyViolations(mediaType, schema, body));
    }
    return violations;
  }

  private static List<String> headerViolations(
      Response response, Map<String, List<String>> received) {
    Map<String, List<String>> byName = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    byName.putAll(received);
    List<String> violations = new ArrayList<>();
    response.headers.forEach(
        (name, header) -> {
          List<String> values = byName.getOrDefault(name, List.of());
          if (header.required && values.isEmpty()) {
            violations.add("the header " + name + " is missing");
          }
          for (String value : values) {
            violations.addAll(violations(header.schema, "header " + name, header.typed(value)));
          }
        });
    return violations;
  }

  private List<String> bodyViolations(String mediaType, JsonSchema schema, byte[] body) {
    if (mediaType.equals("application/json") || mediaType.endsWith("+json")) {
      return jsonViolations(schema, "body", body);
    }
    String text = new String(body, UTF_8);
    List<String> violations = new ArrayList<>(violations(schema, "body", TextNode.valueOf(text)));
    if (mediaType.equals("text/event-stream")) {
      violations.addAll(streamViolations(text));
    }
    return violations;
  }

  private List<String> streamViolations(String text) {
    List<String> violations = new ArrayList<>();
    List<Map<String, String>> frames = frames(text);
    for (Map<String, String> frame : frames) {
      violations.addAll(frameViolations(frame));
    }
    for (Map<String, String> frame : frames.subList(0, Math.max(0, frames.size() - 1))) {
      if (LAST_EVENTS.contains(frame.getOrDefault("event", ""))) {
        violations.add("the stream goes on after the event " + frame.get("event"));
      }
    }
    return violations;
  }

  private List<String> frameViolations(Map<String, String> frame) {
    if (!frame.keySet().equals(FRAME_LINES)) {
      return List.of("a frame has the lines event, data and id, but this one: " + frame.keySet());
    }
    String id = frame.getOrDefault("id", "");
    List<String> violations = new ArrayList<>();
    if (!EVENT_ID.matcher(id).matches()) {
      violations.add("the id '" + id + "' is not <turn>.<attempt>.<n>");
    }
    String data = frame.getOrDefault("data", "");
    violations.addAll(eventViolations(frame.getOrDefault("event", ""), data));
    return violations;
  }

  /** The complete frames of a stream; comments are skipped, a frame cut off at the end is too. */
  private static List<Map<String, String>> frames(String text) {
    List<Map<String, String>> frames = new ArrayList<>();
    Map<String, String> frame = new LinkedHashMap<>();
    for (String line : (Iterable<String>) text.lines()::iterator) {
      if (!line.isEmpty() && !line.startsWith(":")) {
        String[] field = line.split(": ?", 2);
        frame.merge(field[0], field.length == 2 ? field[1] : "", (a, b) -> a + "\n" + b);
      } else if (line.isEmpty() && !frame.isEmpty()) {
        frames.add(frame);
        frame = new LinkedHashMap<>();
      }
    }
    return frames;
  }

  private List<String> eventViolations(String event, String json) {
    JsonSchema schema = events.get(event);
    return schema == null
        ? List.of("'" + event + "' is not documented; documented are " + sorted(events.keySet()))
        : jsonViolations(schema, "data of " + event, json.getBytes(UTF_8));
  }

  private static List<String> jsonViolations(JsonSchema schema, String what, byte[] json) {
    try {
      JsonNode value = JSON.readTree(json);
      return value.isMissingNode() ? List.of(what + ": is empty") : violations(schema, what, value);
    } catch (IOException e) {
      return List.of(what + ": is not JSON: " + e.getMessage());
    }
  }

  private static List<String> violations(JsonSchema schema, String what, JsonNode value) {
    return schema.validate(value).stream().map(each -> what + each.getMessage()).toList();
  }

  private static String report(String what, List<String> violations, byte[] body) {
    String text = new String(body, UTF_8);
    String shown =
        text.length() <= SHOWN_BODY_CHARS ? text : text.substring(0, SHOWN_BODY_CHARS) + "…";
    return what
        + " against openapi.yaml:\n"
        + violations.stream().map(each -> "  - " + each + "\n").collect(joining())
        + "received: "
        + shown;
  }

  private static String mediaType(@Nullable String contentType) {
    return contentType == null ? "" : contentType.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
  }

  private static List<String> segments(String path) {
    return List.of(path.split("/", -1));
  }

  private static <T extends Comparable<T>> List<T> sorted(Set<T> values) {
    return values.stream().sorted().toList();
  }

  private static <K, V> Map<K, V> with(Map<K, V> map, K key, V value) {
    Map<K, V> copy = new LinkedHashMap<>(map);
    copy.put(key, value);
    return copy;
  }

  private static <K, V> Map<K, V> without(Map<K, V> map, K key) {
    Map<K, V> copy = new LinkedHashMap<>(map);
    copy.remove(key);
    return copy;
  }

  private record PathItem(
      String template, List<String> segments, Map<String, Operation> operations) {
    boolean matches(List<String> actual) {
      if (actual.size() != segments.size()) {
        return false;
      }
      for (int i = 0; i < actual.size(); i++) {
        boolean fits =
            isParameter(segments.get(i))
                ? !actual.get(i).isEmpty()
                : segments.get(i).equals(actual.get(i));
        if (!fits) {
          return false;
        }
      }
      return true;
    }

    /** Sorts a literal segment before a parameter at the same place. */
    String rank() {
      return segments.stream().map(each -> isParameter(each) ? "1" : "0").collect(joining());
    }

    private static boolean isParameter(String segment) {
      return segment.startsWith("{") && segment.endsWith("}");
    }
  }

  private record Operation(String name, Map<Integer, Response> responses, Set<String> scopes) {}

  private record Response(Map<String, Header> headers, Map<String, JsonSchema> content) {}

  private record Header(boolean required, boolean integer, JsonSchema schema) {
    JsonNode typed(String value) {
      return integer && INTEGER.matcher(value).matches()
          ? LongNode.valueOf(Long.parseLong(value))
          : TextNode.valueOf(value);
    }
  }

  /** Waits with the reading until a test needs the contract, and does it once. */
  private static final class OnClassPath {
    static final OpenApiContract CONTRACT = of(read());

    private static String read() {
      try (InputStream in = OpenApiContract.class.getResourceAsStream("/openapi.yaml")) {
        if (in == null) {
          throw new AssertionError("openapi.yaml is not on the class path");
        }
        return new String(in.readAllBytes(), UTF_8);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Reads the parts of the YAML document, references followed and schemas compiled. */
  private static final class Document {
    private static final SchemaLocation IRI = SchemaLocation.of("https://agentengine.test/openapi");

    private static final SchemaValidatorsConfig CONFIG =
        SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

    private final JsonNode root;
    private final JsonSchema whole;
    private final Map<JsonPointer, JsonSchema> compiled = new ConcurrentHashMap<>();

    Document(String yaml) {
      LoadSettings strict = LoadSettings.builder().setAllowDuplicateKeys(false).build();
      this.root = JSON.valueToTree(new Load(strict).loadFromString(yaml));
      this.whole = asSchema(root);
    }

    /** Refuses unknown keywords in schemas: a misspelt one would check nothing, silently. */
    private static JsonSchema asSchema(JsonNode root) {
      JsonMetaSchema.Builder dialect =
          JsonMetaSchema.builder(JsonMetaSchema.getV202012())
              .unknownKeywordFactory(DisallowUnknownKeywordFactory.getInstance());
      for (Map.Entry<String, JsonNode> part : root.properties()) {
        dialect.keyword(new NonValidationKeyword(part.getKey()));
      }
      JsonMetaSchema metaSchema = dialect.build();
      return JsonSchemaFactory.getInstance(
              VersionFlag.V202012, builder -> builder.metaSchema(metaSchema))
          .getSchema(IRI, root, CONFIG);
    }

    JsonSchema schemaAt(JsonPointer pointer) {
      return compiled.computeIfAbsent(pointer, this::compile);
    }

    private JsonSchema compile(JsonPointer pointer) {
      if (root.at(pointer).isMissingNode()) {
        throw new AssertionError("openapi.yaml has nothing at " + pointer);
      }
      try {
        JsonSchema schema = whole.getSubSchema(SchemaLocation.Fragment.of(pointer.toString()));
        schema.initializeValidators();
        return schema;
      } catch (JsonSchemaException e) {
        throw new AssertionError("openapi.yaml at " + pointer + ": " + e.getMessage(), e);
      }
    }

    List<PathItem> pathItems() {
      JsonPointer paths = JsonPointer.compile("/paths");
      List<PathItem> items = new ArrayList<>();
      for (String template : names(paths)) {
        items.add(pathItem(template, paths.appendProperty(template)));
      }
      items.sort(Comparator.comparing(PathItem::rank));
      return List.copyOf(items);
    }

    private PathItem pathItem(String template, JsonPointer at) {
      Map<String, Operation> operations = new LinkedHashMap<>();
      for (String key : names(at)) {
        if (METHODS.contains(key)) {
          String method = key.toUpperCase(Locale.ROOT);
          operations.put(method, operation(method + " " + template, at.appendProperty(key)));
        }
      }
      return new PathItem(template, OpenApiContract.segments(template), operations);
    }

    private Operation operation(String name, JsonPointer at) {
      JsonPointer documented = at.appendProperty("responses");
      Map<Integer, Response> responses = new LinkedHashMap<>();
      for (String status : names(documented)) {
        responses.put(Integer.valueOf(status), response(documented.appendProperty(status)));
      }
      Set<String> scopes = new LinkedHashSet<>();
      root.at(at).path("x-required-scopes").forEach(scope -> scopes.add(scope.asText()));
      return new Operation(name, responses, Collections.unmodifiableSet(scopes));
    }

    Map<Integer, Response> sharedResponses(Map<Integer, String> names) {
      Map<Integer, Response> responses = new LinkedHashMap<>();
      names.forEach((status, name) -> responses.put(status, sharedResponse(name)));
      return responses;
    }

    Response sharedResponse(String name) {
      return response(JsonPointer.compile("/components/responses").appendProperty(name));
    }

    private Response response(JsonPointer reference) {
      JsonPointer at = target(reference);
      Map<String, Header> headers = new LinkedHashMap<>();
      JsonPointer headersAt = at.appendProperty("headers");
      for (String name : names(headersAt)) {
        headers.put(name, header(target(headersAt.appendProperty(name))));
      }
      Map<String, JsonSchema> content = new LinkedHashMap<>();
      JsonPointer contentAt = at.appendProperty("content");
      for (String type : names(contentAt)) {
        content.put(type, schemaIn(contentAt.appendProperty(type)));
      }
      return new Response(headers, content);
    }

    private Header header(JsonPointer at) {
      JsonNode schema = root.at(target(at.appendProperty("schema")));
      boolean integer = schema.path("type").asText().equals("integer");
      return new Header(root.at(at).path("required").asBoolean(), integer, schemaIn(at));
    }

    private JsonSchema schemaIn(JsonPointer at) {
      return schemaAt(at.appendProperty("schema"));
    }

    /** The schema of each event, from the {@code x-events} of whichever stream names it. */
    Map<String, JsonSchema> events() {
      Map<String, JsonSchema> events = new LinkedHashMap<>();
      for (JsonNode mapping : root.path("paths").findValues("x-events")) {
        for (Map.Entry<String, JsonNode> event : mapping.properties()) {
          events.put(event.getKey(), schemaAt(pointer(event.getValue().asText())));
        }
      }
      return events;
    }

    /** Where a chain of references ends. */
    private JsonPointer target(JsonPointer at) {
      String reference = root.at(at).path("$ref").asText();
      JsonPointer target = reference.isEmpty() ? at : target(pointer(reference));
      if (root.at(target).isMissingNode()) {
        throw new AssertionError("openapi.yaml has nothing at " + target);
      }
      return target;
    }

    private static JsonPointer pointer(String reference) {
      return JsonPointer.compile(reference.substring(1));
    }

    private List<String> names(JsonPointer at) {
      return root.at(at).properties().stream().map(Map.Entry::getKey).toList();
    }
  }
}
