package agentengine.config;

import agentengine.agent.AgentSpec;
import agentengine.agent.Agents;
import agentengine.agent.References;
import agentengine.agent.SchemaSpec;
import agentengine.agent.Schemas;
import agentengine.db.Database;
import agentengine.error.FieldError;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.json.TextRules;
import agentengine.model.DefinitionChanges;
import agentengine.model.ModelSpec;
import agentengine.model.Models;
import agentengine.tool.ToolSpec;
import agentengine.tool.Tools;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.LongNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Applies the configuration document to the store: whole, or not at all. */
public final class Configuration {
  /** Parts of the document that this version does not know how to apply. */
  private static final List<String> LATER = List.of("mcp_servers", "knowledge", "rate_limits");

  /** Where {@code ${VAR}} is looked up at each use, so that it is stored as it stands. */
  private static final Predicate<String> REFERENCES_STAY =
      Pattern.compile("tools\\.[^.]+\\.headers\\..+").asMatchPredicate();

  /** Says what is wrong with the name of an entry, or null. */
  private interface NameRule {
    @Nullable String problem(String name);
  }

  private static final NameRule RESOURCE_NAME =
      name ->
          TextRules.isResourceName(name) && name.length() <= TextRules.MAX_NAME
              ? null
              : TextRules.RESOURCE_NAME_RULE
                  + ", and at most "
                  + TextRules.MAX_NAME
                  + " characters";

  /** The definitions that a document may declare. */
  public record Definitions(Models models, Tools tools, Agents agents, Schemas schemas) {}

  private record Content(
      List<ModelSpec> models,
      List<ToolSpec> tools,
      List<AgentSpec> agents,
      List<SchemaSpec> schemas,
      @Nullable Settings settings) {}

  private final Database db;
  private final Definitions definitions;
  private final SettingsStore settings;
  private final InstantSource clock;
  private final UnaryOperator<@Nullable String> environment;

  public Configuration(
      Database db,
      Definitions definitions,
      SettingsStore settings,
      InstantSource clock,
      UnaryOperator<@Nullable String> environment) {
    this.db = db;
    this.definitions = definitions;
    this.settings = settings;
    this.clock = clock;
    this.environment = environment;
  }

  /** Whether nothing was ever declared here, by a document or through the API. */
  public boolean nothingIsDefined() {
    return db.read(
        handle ->
            handle
                    .createQuery(
                        """
                        SELECT (SELECT count(*) FROM model) + (SELECT count(*) FROM tool)
                          + (SELECT count(*) FROM agent) + (SELECT count(*) FROM chat_schema)
                        """)
                    .mapTo(Integer.class)
                    .one()
                == 0);
  }

  /**
   * Applies a document unless it is the one that was applied last; whether it was applied.
   *
   * @throws ConfigurationException with all that is wrong with it; then nothing was changed
   */
  public boolean applyIfChanged(String actor, String text) {
    YamlDocument document = new YamlDocument(text, environment, REFERENCES_STAY);
    String fingerprint = fingerprint(document.root());
    if (document.errors().isEmpty() && fingerprint.equals(lastApplied())) {
      return false;
    }
    Content content = read(document);
    db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          // Written even if something is wrong, so that references can be checked as well: the
          // refusal takes all of it back.
          write(handle, actor, content);
          addDanglingReferences(handle, content, document.errors());
          refuseIfWrong(document);
          remember(handle, fingerprint);
          return null;
        });
    if (content.settings() != null) {
      settings.use(content.settings());
    }
    return true;
  }

  private Content read(YamlDocument document) {
    List<FieldError> errors = document.errors();
    if (!document.root().isObject()) {
      errors.add(new FieldError("", "the document must be a map that begins with version: 1"));
      throw new ConfigurationException(document.problems());
    }
    Fields fields = Fields.of(document.root(), "", errors);
    if (!fields.has("version")) {
      fields.reject("version", "is required; this program reads version 1");
    } else if (!document.root().get("version").equals(LongNode.valueOf(1))) {
      fields.reject("version", "must be 1, the version that this program reads");
    }
    for (String part : LATER) {
      if (fields.has(part) && !document.root().get(part).equals(Json.object())) {
        fields.reject(part, "cannot be configured in this version");
      }
    }
    Content content =
        new Content(
            entries(document, fields, "models", RESOURCE_NAME, ModelSpec::read),
            entries(
                document,
                fields,
                "tools",
                ToolSpec::nameProblem,
                (name, tool) -> ToolSpec.read(name, tool, environment)),
            entries(document, fields, "agents", RESOURCE_NAME, AgentSpec::read),
            entries(document, fields, "schemas", RESOURCE_NAME, SchemaSpec::read),
            settings(fields));
    fields.complete();
    return content;
  }

  private static <T> List<T> entries(
      YamlDocument document,
      Fields fields,
      String part,
      NameRule rule,
      BiFunction<String, Fields, T> reader) {
    List<T> specs = new ArrayList<>();
    if (!fields.has(part)) {
      return specs;
    }
    JsonNode map = document.root().get(part);
    if (!map.isObject()) {
      fields.reject(part, "must be a map of names to definitions");
      return specs;
    }
    for (Map.Entry<String, JsonNode> entry : map.properties()) {
      String name = entry.getKey();
      String path = part + "." + name;
      Fields entryFields = Fields.of(entry.getValue(), path, document.errors());
      entryFields.unchanged("name", name);
      T spec = reader.apply(name, entryFields);
      entryFields.complete();
      String problem = rule.problem(name);
      if (problem == null) {
        specs.add(spec);
      } else {
        document.errors().add(new FieldError(path, "the name " + problem));
      }
    }
    return specs;
  }

  private static @Nullable Settings settings(Fields fields) {
    if (!fields.has("settings")) {
      return null;
    }
    Fields part = fields.object("settings");
    Settings settings = Settings.read(part);
    part.complete();
    return settings;
  }

  private void write(Handle handle, String actor, Content content) {
    for (ModelSpec spec : content.models()) {
      definitions.models().put(handle, actor, spec);
    }
    for (ToolSpec spec : content.tools()) {
      definitions.tools().put(handle, actor, spec);
    }
    for (AgentSpec spec : content.agents()) {
      definitions.agents().put(handle, actor, spec);
    }
    for (SchemaSpec spec : content.schemas()) {
      definitions.schemas().put(handle, actor, spec);
    }
    if (content.settings() != null) {
      settings.put(handle, content.settings());
    }
  }

  /** Checked after everything is written, so that entries may name each other in any order. */
  private static void addDanglingReferences(
      Handle handle, Content content, List<FieldError> errors) {
    Set<String> known = errors.stream().map(FieldError::field).collect(Collectors.toSet());
    Stream<FieldError> ofAgents =
        content.agents().stream()
            .flatMap(
                spec ->
                    References.problems(handle, spec).stream()
                        .map(problem -> prefixed("agents." + spec.name(), problem)));
    Stream<FieldError> ofSchemas =
        content.schemas().stream()
            .flatMap(
                spec ->
                    References.problems(handle, spec).stream()
                        .map(problem -> prefixed("schemas." + spec.name(), problem)));
    Stream.concat(ofAgents, ofSchemas)
        .filter(problem -> !known.contains(problem.field()))
        .toList()
        .forEach(errors::add);
  }

  private static FieldError prefixed(String path, FieldError problem) {
    return new FieldError(path + "." + problem.field(), problem.message());
  }

  private static void refuseIfWrong(YamlDocument document) {
    if (!document.errors().isEmpty()) {
      throw new ConfigurationException(document.problems());
    }
  }

  private @Nullable String lastApplied() {
    return db.read(
        handle ->
            handle
                .createQuery("SELECT fingerprint FROM applied_configuration WHERE id = 1")
                .mapTo(String.class)
                .findOne()
                .orElse(null));
  }

  private void remember(Handle handle, String fingerprint) {
    handle
        .createUpdate(
            """
            INSERT INTO applied_configuration (id, fingerprint, applied_at)
            VALUES (1, :fingerprint, :now)
            ON CONFLICT (id) DO UPDATE
            SET fingerprint = excluded.fingerprint, applied_at = excluded.applied_at
            """)
        .bind("fingerprint", fingerprint)
        .bind("now", clock.millis())
        .execute();
  }

  private static String fingerprint(JsonNode document) {
    try {
      byte[] text = Json.write(document).getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
