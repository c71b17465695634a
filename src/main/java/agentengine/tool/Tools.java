package agentengine.tool;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.model.DefinitionChanges;
import agentengine.secret.MasterKey;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The declared tools in the store; their headers are sealed there. */
public final class Tools {
  private static final String HEADERS_PURPOSE = "tool.headers";

  /** Tells who uses a tool, so that it is not deleted under them. */
  @FunctionalInterface
  public interface Users {
    List<String> of(Handle handle, String tool);
  }

  private final Database db;
  private final MasterKey masterKey;
  private final InstantSource clock;
  private final AdminLog adminLog;
  private final Users users;
  private final UnaryOperator<@Nullable String> environment;

  public Tools(
      Database db,
      MasterKey masterKey,
      InstantSource clock,
      AdminLog adminLog,
      Users users,
      UnaryOperator<@Nullable String> environment) {
    this.db = db;
    this.masterKey = masterKey;
    this.clock = clock;
    this.adminLog = adminLog;
    this.users = users;
    this.environment = environment;
  }

  public List<DeclaredTool> list() {
    return db.read(this::list);
  }

  public List<DeclaredTool> list(Handle handle) {
    return handle.createQuery("SELECT * FROM tool ORDER BY name").map((row, _) -> tool(row)).list();
  }

  public DeclaredTool get(String name) {
    return db.read(handle -> find(handle, name))
        .orElseThrow(() -> EngineException.notFound("tool", name));
  }

  public Optional<DeclaredTool> find(Handle handle, String name) {
    return handle
        .createQuery("SELECT * FROM tool WHERE name = :name")
        .bind("name", name)
        .map((row, _) -> tool(row))
        .findOne();
  }

  public DeclaredTool create(String actor, JsonNode body) {
    Fields fields = Fields.of(body);
    String name = fields.requiredString("name", ToolSpec.MAX_NAME);
    String problem = name.isBlank() ? null : ToolSpec.nameProblem(name);
    if (problem != null) {
      fields.reject("name", problem);
    }
    ToolSpec spec = ToolSpec.read(name, fields, environment);
    fields.finish();
    return db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          if (find(handle, name).isPresent()) {
            throw EngineException.conflict("a tool named '" + name + "' exists already");
          }
          return write(handle, actor, spec, true);
        });
  }

  /** Changes the fields that the body has; null sets one back to its default. */
  public DeclaredTool update(String actor, String name, JsonNode body) {
    if (!(body instanceof ObjectNode changes)) {
      throw EngineException.badRequest("the body must be a JSON object");
    }
    return db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          ToolSpec current =
              find(handle, name).orElseThrow(() -> EngineException.notFound("tool", name)).spec();
          Fields fields = Fields.of(merged(current, changes));
          fields.unchanged("name", name);
          ToolSpec spec = ToolSpec.read(name, fields, environment);
          fields.finish();
          return write(handle, actor, spec, false);
        });
  }

  /** The whole definition after a change, in which a hidden header stands for the stored one. */
  private static ObjectNode merged(ToolSpec current, ObjectNode changes) {
    ToolHeaders stored = current.call().headers();
    ObjectNode whole = current.toJson();
    whole.set("headers", stored.revealed());
    whole.setAll(changes);
    if (changes.get("headers") instanceof ObjectNode wanted) {
      ObjectNode headers = wanted.deepCopy();
      stored.values().keySet().forEach(name -> fillIn(headers, name, stored));
      whole.set("headers", headers);
    }
    return whole;
  }

  private static void fillIn(ObjectNode headers, String storedName, ToolHeaders stored) {
    HeaderValue value = stored.values().get(storedName);
    headers
        .properties()
        .forEach(
            entry -> {
              boolean hidden = entry.getValue().equals(TextNode.valueOf(HeaderValue.HIDDEN));
              if (hidden && entry.getKey().equalsIgnoreCase(storedName) && value != null) {
                entry.setValue(TextNode.valueOf(value.text().reveal()));
              }
            });
  }

  /** Writes a checked entry of the configuration document inside the caller's transaction. */
  public DeclaredTool put(Handle handle, String actor, ToolSpec spec) {
    Optional<DeclaredTool> current = find(handle, spec.name());
    ToolSpec whole = current.map(DeclaredTool::spec).map(spec::keepingSecretsOf).orElse(spec);
    return write(handle, actor, whole, current.isEmpty());
  }

  private DeclaredTool write(Handle handle, String actor, ToolSpec spec, boolean isNew) {
    ObjectNode definition = spec.toJson();
    definition.remove("headers");
    handle
        .createUpdate(
            """
            INSERT INTO tool (name, definition, headers, created_at, updated_at)
            VALUES (:name, :definition, :headers, :now, :now)
            ON CONFLICT (name) DO UPDATE
            SET definition = excluded.definition, headers = excluded.headers,
                updated_at = excluded.updated_at
            """)
        .bind("name", spec.name())
        .bind("definition", Json.write(definition))
        .bind("headers", masterKey.seal(spec.call().headers().toSecret(), HEADERS_PURPOSE))
        .bind("now", clock.millis())
        .execute();
    adminLog.record(
        handle, actor, isNew ? "tool.created" : "tool.updated", spec.name(), Json.object());
    return find(handle, spec.name()).orElseThrow();
  }

  public void delete(String actor, String name) {
    db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          if (find(handle, name).isEmpty()) {
            throw EngineException.notFound("tool", name);
          }
          List<String> usedBy = users.of(handle, name);
          if (!usedBy.isEmpty()) {
            throw EngineException.conflict(
                "tool '" + name + "' is used by " + String.join(", ", usedBy));
          }
          handle.createUpdate("DELETE FROM tool WHERE name = :name").bind("name", name).execute();
          adminLog.record(handle, actor, "tool.deleted", name, Json.object());
          return null;
        });
  }

  private DeclaredTool tool(ResultSet row) throws SQLException {
    ToolHeaders headers =
        ToolHeaders.ofSecret(masterKey.open(row.getString("headers"), HEADERS_PURPOSE));
    return new DeclaredTool(
        ToolSpec.ofStored(Json.parse(row.getString("definition")), headers),
        Instant.ofEpochMilli(row.getLong("created_at")),
        Instant.ofEpochMilli(row.getLong("updated_at")));
  }
}
