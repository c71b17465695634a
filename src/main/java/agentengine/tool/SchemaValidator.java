package agentengine.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaException;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.PathType;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import com.networknt.schema.SpecVersionDetector;
import com.networknt.schema.ValidationMessage;
import com.networknt.schema.resource.AllowSchemaLoader;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** A compiled JSON Schema; the only place that knows the validator's library. */
final class SchemaValidator {
  private static final int MAX_PROBLEMS = 8;
  private static final int MAX_PROBLEM_LENGTH = 300;
  private static final VersionFlag DEFAULT_DRAFT = VersionFlag.V202012;

  private static final SchemaValidatorsConfig CONFIG =
      SchemaValidatorsConfig.builder()
          .locale(Locale.ENGLISH)
          .pathType(PathType.JSON_PATH)
          .losslessNarrowing(true) // 1.0 is an integer
          .regularExpressionFactory(BoundedRegex::new)
          .build();

  /** The drafts' own schemas are in the library; nothing else is loaded from anywhere. */
  private static final AllowSchemaLoader ONLY_DRAFTS =
      new AllowSchemaLoader(address -> address.toString().startsWith("classpath:draft"));

  // A factory for each draft, made when the first schema of that draft comes.
  private static final Map<VersionFlag, JsonSchemaFactory> FACTORIES = new ConcurrentHashMap<>();

  private final JsonSchema schema;

  private SchemaValidator(JsonSchema schema) {
    this.schema = schema;
  }

  static SchemaValidator compile(ObjectNode schema) {
    JsonSchema compiled = factory(draft(schema).orElse(DEFAULT_DRAFT)).getSchema(schema, CONFIG);
    compiled.initializeValidators();
    return new SchemaValidator(compiled);
  }

  private static JsonSchemaFactory factory(VersionFlag draft) {
    return FACTORIES.computeIfAbsent(
        draft,
        _ ->
            JsonSchemaFactory.getInstance(
                draft,
                builder ->
                    builder
                        .enableSchemaCache(false)
                        .schemaLoaders(loaders -> loaders.add(ONLY_DRAFTS))));
  }

  private static Optional<VersionFlag> draft(ObjectNode schema) {
    return schema.has("$schema")
        ? SpecVersionDetector.detectOptionalVersion(schema, false)
        : Optional.of(DEFAULT_DRAFT);
  }

  /** Why this is not a schema, or null. */
  static @Nullable String schemaProblem(ObjectNode schema) {
    if (!schema.path("$schema").isMissingNode() && !schema.path("$schema").isTextual()) {
      return "$schema must name a draft of JSON Schema";
    }
    Optional<VersionFlag> draft = draft(schema);
    if (draft.isEmpty()) {
      return "$schema names no known draft of JSON Schema; leave it out for 2020-12";
    }
    try {
      JsonSchema metaSchema =
          factory(draft.get()).getSchema(SchemaLocation.of(draft.get().getId()), CONFIG);
      Collection<ValidationMessage> complaints = metaSchema.validate(schema);
      if (!complaints.isEmpty()) {
        return "is not a valid JSON Schema: " + sentence(complaints);
      }
      SchemaValidator _ = compile(schema);
      return null;
    } catch (JsonSchemaException | IllegalArgumentException e) {
      return "is not a valid JSON Schema: " + cut(String.valueOf(e.getMessage()));
    } catch (StackOverflowError _) {
      return "is not a valid JSON Schema: a reference in it leads back to itself";
    }
  }

  @Nullable String problem(JsonNode arguments) {
    try {
      Collection<ValidationMessage> complaints = schema.validate(arguments);
      return complaints.isEmpty()
          ? null
          : "the arguments do not fit the tool's parameters: " + sentence(complaints);
    } catch (BoundedRegex.TooMuchWork _) {
      return "the arguments do not fit the tool's parameters: a text takes too long to be matched"
          + " against its pattern";
    } catch (JsonSchemaException | StackOverflowError _) {
      return "the arguments cannot be checked against the tool's parameters";
    }
  }

  private static String sentence(Collection<ValidationMessage> complaints) {
    List<String> problems = new ArrayList<>();
    for (ValidationMessage complaint : complaints) {
      if (problems.size() == MAX_PROBLEMS) {
        problems.add("and " + (complaints.size() - MAX_PROBLEMS) + " more");
        break;
      }
      problems.add(cut(complaint.getMessage()));
    }
    return String.join("; ", problems);
  }

  private static String cut(String text) {
    return text.length() <= MAX_PROBLEM_LENGTH ? text : text.substring(0, MAX_PROBLEM_LENGTH) + "…";
  }
}
