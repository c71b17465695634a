package agentengine.limit;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.json.Fields;
import agentengine.json.Json;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** The rules in the store, and at hand for every request. */
public final class RateLimitRules {
  private final Database db;
  private final AdminLog adminLog;
  private volatile List<RateLimitRule> current = List.of();

  public RateLimitRules(Database db, AdminLog adminLog) {
    this.db = db;
    this.adminLog = adminLog;
    refresh();
  }

  /** The rules in force, by name. */
  public List<RateLimitRule> current() {
    return current;
  }

  /** Reads the rules again; what was put counts from then on. */
  public void refresh() {
    current = List.copyOf(db.read(this::list));
  }

  /** The rules as a transaction sees them, by name. */
  public List<RateLimitRule> list(Handle handle) {
    return handle
        .createQuery("SELECT name, definition FROM rate_limit_rule ORDER BY name")
        .map(
            (row, _) ->
                RateLimitRule.read(
                    row.getString("name"), Fields.of(Json.parse(row.getString("definition")))))
        .list();
  }

  /**
   * Writes a checked entry of the configuration document inside the caller's transaction; {@link
   * #refresh} makes it count afterwards.
   */
  public void put(Handle handle, String actor, RateLimitRule rule) {
    boolean isNew =
        handle
            .createQuery("SELECT 1 FROM rate_limit_rule WHERE name = :name")
            .bind("name", rule.name())
            .mapTo(Integer.class)
            .findOne()
            .isEmpty();
    handle
        .createUpdate(
            """
            INSERT INTO rate_limit_rule (name, definition) VALUES (:name, :definition)
            ON CONFLICT (name) DO UPDATE SET definition = excluded.definition
            """)
        .bind("name", rule.name())
        .bind("definition", Json.write(rule.toJson()))
        .execute();
    adminLog.record(
        handle,
        actor,
        isNew ? "rate_limit.created" : "rate_limit.updated",
        rule.name(),
        Json.object());
  }
}
