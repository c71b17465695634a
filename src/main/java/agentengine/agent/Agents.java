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
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** The agents in the store. */
public final class Agents {
  private final Database db;
  private final InstantSource clock;
  private final AdminLog adminLog;

  public Agents(Database db, InstantSource clock, AdminLog adminLog) {
    this.db = db;
    this.clock = clock;
    this.adminLog = adminLog;
  }

  public List<Agent> list() {
    return db.read(Agents::list);
  }

  public static List<Agent> list(Handle handle) {
    return handle
        .createQuery("SELECT * FROM agent ORDER BY name")
        .map((row, _) -> agent(row))
        .list();
  }

  public int count() {
    return db.read(
        handle -> handle.createQuery("SELECT count(*) FROM agent").mapTo(Integer.class).one());
  }

  public Agent get(String name) {
    return db.read(handle -> find(handle, name))
        .orElseThrow(() -> EngineException.notFound("agent", name));
  }

  public Optional<Agent> find(Handle handle, String name) {
    return handle
        .createQuery("SELECT * FROM agent WHERE name = :name")
        .bind("name", name)
        .map((row, _) -> agent(row))
        .findOne();
  }

  public Agent create(String actor, JsonNode body) {
    Fields fields = Fields.of(body);
    AgentSpec spec = AgentSpec.read(fields.resourceName("name", TextRules.MAX_NAME), fields);
    fields.finish();
    return db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          if (find(handle, spec.name()).isPresent()) {
            throw EngineException.conflict("an agent named '" + spec.name() + "' exists already");
          }
          return checkAndPut(handle, actor, spec);
        });
  }

  /** Changes the fields that the body has; null sets one back to its default. */
  public Agent update(String actor, String name, JsonNode body) {
    if (!(body instanceof ObjectNode changes)) {
      throw EngineException.badRequest("the body must be a JSON object");
    }
    return db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          Agent current =
              find(handle, name).orElseThrow(() -> EngineException.notFound("agent", name));
          Fields fields = Fields.of(current.spec().toJson().setAll(changes));
          fields.unchanged("name", name);
          AgentSpec spec = AgentSpec.read(name, fields);
          fields.finish();
          return checkAndPut(handle, actor, spec);
        });
  }

  private Agent checkAndPut(Handle handle, String actor, AgentSpec spec) {
    List<FieldError> problems = References.problems(handle, spec);
    if (!problems.isEmpty()) {
      throw EngineException.invalid(problems);
    }
    return put(handle, actor, spec);
  }

  /** Writes a checked spec inside the caller's transaction. */
  public Agent put(Handle handle, String actor, AgentSpec spec) {
    boolean isNew = find(handle, spec.name()).isEmpty();
    handle
        .createUpdate(
            """
            INSERT INTO agent (name, definition, created_at, updated_at)
            VALUES (:name, :definition, :now, :now)
            ON CONFLICT (name) DO UPDATE
            SET definition = excluded.definition, updated_at = excluded.updated_at
            """)
        .bind("name", spec.name())
        .bind("definition", Json.write(spec.toJson()))
        .bind("now", clock.millis())
        .execute();
    adminLog.record(
        handle, actor, isNew ? "agent.created" : "agent.updated", spec.name(), Json.object());
    return find(handle, spec.name()).orElseThrow();
  }

  public void delete(String actor, String name) {
    db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          if (find(handle, name).isEmpty()) {
            throw EngineException.notFound("agent", name);
          }
          List<String> users = usersOfAgent(handle, name);
          if (!users.isEmpty()) {
            throw EngineException.conflict(
                "agent '" + name + "' is used by " + String.join(", ", users));
          }
          handle.createUpdate("DELETE FROM agent WHERE name = :name").bind("name", name).execute();
          adminLog.record(handle, actor, "agent.deleted", name, Json.object());
          return null;
        });
  }

  private static List<String> usersOfAgent(Handle handle, String name) {
    Stream<String> agents =
        list(handle).stream()
            .map(Agent::spec)
            .filter(spec -> !spec.name().equals(name) && spec.uses().canSpawn().contains(name))
            .map(spec -> "agent '" + spec.name() + "'");
    Stream<String> schemas =
        Schemas.list(handle).stream()
            .map(Schema::spec)
            .filter(spec -> spec.agents().contains(name))
            .map(spec -> "schema '" + spec.name() + "'");
    return Stream.concat(agents, schemas).toList();
  }

  /** Which agents call a model. */
  public static List<String> usersOfModel(Handle handle, String model) {
    return list(handle).stream()
        .map(Agent::spec)
        .filter(spec -> spec.models().contains(model))
        .map(spec -> "agent '" + spec.name() + "'")
        .toList();
  }

  /** Which agents have a tool. */
  public static List<String> usersOfTool(Handle handle, String tool) {
    return list(handle).stream()
        .map(Agent::spec)
        .filter(spec -> spec.uses().tools().contains(tool))
        .map(spec -> "agent '" + spec.name() + "'")
        .toList();
  }

  private static Agent agent(ResultSet row) throws SQLException {
    Fields fields = Fields.of(Json.parse(row.getString("definition")));
    return new Agent(
        AgentSpec.read(row.getString("name"), fields),
        Instant.ofEpochMilli(row.getLong("created_at")),
        Instant.ofEpochMilli(row.getLong("updated_at")));
  }
}
