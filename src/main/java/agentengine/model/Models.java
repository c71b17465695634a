package agentengine.model;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.json.TextRules;
import agentengine.secret.MasterKey;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The model records in the store; their keys are sealed there. */
public final class Models {
  private static final String KEY_PURPOSE = "model.api_key";

  /** Tells who uses a model, so that it is not deleted under them. */
  @FunctionalInterface
  public interface Users {
    List<String> of(Handle handle, String model);
  }

  private final Database db;
  private final MasterKey masterKey;
  private final InstantSource clock;
  private final AdminLog adminLog;
  private final Users users;

  public Models(
      Database db, MasterKey masterKey, InstantSource clock, AdminLog adminLog, Users users) {
    this.db = db;
    this.masterKey = masterKey;
    this.clock = clock;
    this.adminLog = adminLog;
    this.users = users;
  }

  public List<ModelRecord> list() {
    return db.read(this::list);
  }

  public List<ModelRecord> list(Handle handle) {
    return handle
        .createQuery("SELECT * FROM model ORDER BY name")
        .map((row, _) -> record(row))
        .list();
  }

  public ModelRecord get(String name) {
    return db.read(handle -> find(handle, name))
        .orElseThrow(() -> EngineException.notFound("model", name));
  }

  public Optional<ModelRecord> find(Handle handle, String name) {
    return handle
        .createQuery("SELECT * FROM model WHERE name = :name")
        .bind("name", name)
        .map((row, _) -> record(row))
        .findOne();
  }

  public ModelRecord create(String actor, JsonNode body) {
    Fields fields = Fields.of(body);
    ModelSpec spec = ModelSpec.read(fields.resourceName("name", TextRules.MAX_NAME), fields);
    fields.finish();
    return db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          if (find(handle, spec.name()).isPresent()) {
            throw EngineException.conflict("a model named '" + spec.name() + "' exists already");
          }
          return put(handle, actor, spec);
        });
  }

  /** Changes the fields that the body has. */
  public ModelRecord update(String actor, String name, JsonNode body) {
    return db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          ModelRecord current =
              find(handle, name).orElseThrow(() -> EngineException.notFound("model", name));
          ModelSpec spec = merged(current, body);
          return put(handle, actor, spec);
        });
  }

  private static ModelSpec merged(ModelRecord current, JsonNode body) {
    if (!(body instanceof ObjectNode changes)) {
      throw EngineException.badRequest("the body must be a JSON object");
    }
    ObjectNode whole =
        Json.object()
            .put("name", current.name())
            .put("type", current.kind().wireName())
            .put("model_name", current.modelName());
    if (current.declaredBaseUrl() != null) {
      whole.put("base_url", current.declaredBaseUrl());
    }
    whole.setAll(changes);
    Fields fields = Fields.of(whole);
    fields.unchanged("name", current.name());
    ModelSpec spec = ModelSpec.read(current.name(), fields);
    fields.finish();
    return spec;
  }

  public void delete(String actor, String name) {
    db.write(
        handle -> {
          DefinitionChanges.begin(db, handle);
          List<String> usedBy = users.of(handle, name);
          if (!usedBy.isEmpty()) {
            throw EngineException.conflict(
                "model '" + name + "' is used by " + String.join(", ", usedBy));
          }
          int deleted =
              handle
                  .createUpdate("DELETE FROM model WHERE name = :name")
                  .bind("name", name)
                  .execute();
          if (deleted == 0) {
            throw EngineException.notFound("model", name);
          }
          adminLog.record(handle, actor, "model.deleted", name, Json.object());
          return null;
        });
  }

  /** Writes a checked spec inside the caller's transaction. */
  public ModelRecord put(Handle handle, String actor, ModelSpec spec) {
    ModelRecord current = find(handle, spec.name()).orElse(null);
    handle
        .createUpdate(
            """
            INSERT INTO model (name, type, model_name, base_url, api_key, created_at)
            VALUES (:name, :type, :modelName, :baseUrl, :apiKey, :now)
            ON CONFLICT (name) DO UPDATE
            SET type = excluded.type, model_name = excluded.model_name,
                base_url = excluded.base_url, api_key = excluded.api_key
            """)
        .bind("name", spec.name())
        .bind("type", spec.kind().wireName())
        .bind("modelName", spec.modelName())
        .bind("baseUrl", spec.baseUrl())
        .bind("apiKey", sealed(keyAfter(spec, current)))
        .bind("now", clock.millis())
        .execute();
    adminLog.record(
        handle,
        actor,
        current == null ? "model.created" : "model.updated",
        spec.name(),
        Json.object().put("key_changed", !(spec.key() instanceof ModelSpec.KeyChange.Keep)));
    return find(handle, spec.name()).orElseThrow();
  }

  private static @Nullable Secret keyAfter(ModelSpec spec, @Nullable ModelRecord current) {
    return switch (spec.key()) {
      case ModelSpec.KeyChange.Keep() -> current == null ? null : current.apiKey();
      case ModelSpec.KeyChange.Remove() -> null;
      case ModelSpec.KeyChange.Set(Secret secret) -> secret;
    };
  }

  private @Nullable String sealed(@Nullable Secret key) {
    return key == null ? null : masterKey.seal(key, KEY_PURPOSE);
  }

  private ModelRecord record(ResultSet row) throws SQLException {
    String sealed = row.getString("api_key");
    return new ModelRecord(
        row.getLong("id"),
        row.getString("name"),
        ProviderKind.ofWireName(row.getString("type")).orElseThrow(),
        row.getString("model_name"),
        row.getString("base_url"),
        sealed == null ? null : masterKey.open(sealed, KEY_PURPOSE),
        Instant.ofEpochMilli(row.getLong("created_at")));
  }
}
