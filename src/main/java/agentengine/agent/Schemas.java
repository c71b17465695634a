package agentengine.agent;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.error.FieldError;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.json.TextRules;
import agentengine.model.DefinitionChanges;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The schemas in the store. */
public final class Schemas {
  private final Database db;
  private final InstantSource clock;
  private final AdminLog adminLog;

  public Schemas(Database db, InstantSource clock, AdminLog adminLog) {
    this.db = db;
    this.clock = clock;
    this.adminLog = adminLog;
  }

  public List<Schema> list() {
    return db.read(Schemas::list);
  }

  public static List<Schema> list(Handle handle) {
    return handle
        .createQuery("SELECT * FROM chat_schema ORDER BY name")
        .map((row, _) -> schema(row))
        .list();
  }

  public Schema get(String name) {
    return db.read(handle -> find(handle, name))
        .orElseThrow(() -> EngineException.notFound("schema", name));
  }

  public Optional<Schema> find(Handle handle, String name) {
    return handle
        .createQuery("SELECT * FROM chat_schema WHERE name = :name")
        .bind("name", name)
        .map((row, _) -> schema(row))
        .findOne();
  }

  public Schema create(String actor, JsonNode body) {
    Fields fields = Fields.of(body);
    SchemaSpec spec = SchemaSpec.read(fields.resourceName("name", TextRules.MAX_NAME), fields);
    fields.finish();
    return db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          if (find(handle, spec.name()).isPresent()) {
            throw EngineException.conflict("a schema named '" + spec.name() + "' exists already");
          }
          return checkAndPut(handle, actor, spec);
        });
  }

  /** Changes the fields that the body has; null sets one back to its default. */
  public Schema update(String actor, String name, JsonNode body) {
    if (!(body instanceof ObjectNode changes)) {
      throw EngineException.badRequest("the body must be a JSON object");
    }
    return db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          Schema current =
              find(handle, name).orElseThrow(() -> EngineException.notFound("schema", name));
          ObjectNode whole = current.spec().toJson();
          if (changes.has("entry_agent") && !changes.has("agents")) {
            // The new entry agent takes the old one's place in the list.
            whole.set(
                "agents",
                Json.array(
                    current.spec().agents().stream()
                        .filter(agent -> !agent.equals(current.spec().entryAgent()))
                        .toList()));
          }
          Fields fields = Fields.of(whole.setAll(changes));
          fields.unchanged("name", name);
          SchemaSpec spec = SchemaSpec.read(name, fields);
          fields.finish();
          return checkAndPut(handle, actor, spec);
        });
  }

  private Schema checkAndPut(Handle handle, String actor, SchemaSpec spec) {
    List<FieldError> problems = References.problems(handle, spec);
    if (!problems.isEmpty()) {
      throw EngineException.invalid(problems);
    }
    return put(handle, actor, spec);
  }

  /** Writes a checked spec inside the caller's transaction. */
  public Schema put(Handle handle, String actor, SchemaSpec spec) {
    boolean isNew = find(handle, spec.name()).isEmpty();
    handle
        .createUpdate(
            """
            INSERT INTO chat_schema (name, description, entry_agent, agents, chat_enabled, created_at)
            VALUES (:name, :description, :entryAgent, :agents, :chatEnabled, :now)
            ON CONFLICT (name) DO UPDATE
            SET description = excluded.description, entry_agent = excluded.entry_agent,
                agents = excluded.agents, chat_enabled = excluded.chat_enabled
            """)
        .bind("name", spec.name())
        .bind("description", spec.description())
        .bind("entryAgent", spec.entryAgent())
        .bind("agents", Json.write(Json.array(spec.agents())))
        .bind("chatEnabled", spec.chatEnabled())
        .bind("now", clock.millis())
        .execute();
    adminLog.record(
        handle,
        actor,
        isNew ? "schema.created" : "schema.updated",
        spec.name(),
        Json.object().put("chat_enabled", spec.chatEnabled()));
    return find(handle, spec.name()).orElseThrow();
  }

  public void delete(String actor, String name) {
    db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          int deleted =
              handle
                  .createUpdate("DELETE FROM chat_schema WHERE name = :name")
                  .bind("name", name)
                  .execute();
          if (deleted == 0) {
            throw EngineException.notFound("schema", name);
          }
          adminLog.record(handle, actor, "schema.deleted", name, Json.object());
          return null;
        });
  }

  private static Schema schema(ResultSet row) throws SQLException {
    List<String> agents = new ArrayList<>();
    Json.parse(row.getString("agents")).forEach(name -> agents.add(name.textValue()));
    return new Schema(
        new SchemaSpec(
            row.getString("name"),
            row.getString("description"),
            row.getString("entry_agent"),
            List.copyOf(agents),
            row.getBoolean("chat_enabled")),
        Instant.ofEpochMilli(row.getLong("created_at")));
  }
}
