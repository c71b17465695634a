package agentengine.audit;

import agentengine.db.Database;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.StatementContext;

/** The log of administrative acts; an act and its record are one transaction. */
public final class AdminLog {
  private final Database database;
  private final InstantSource clock;

  public AdminLog(Database database, InstantSource clock) {
    this.database = database;
    this.clock = clock;
  }

  /**
   * Notes an act inside the transaction that does it, so that neither is ever there without the
   * other. An action is a name like {@code token.revoked}; details must not hold secrets.
   */
  public void record(
      Handle handle, String actor, String action, String target, ObjectNode details) {
    handle
        .createUpdate(
            """
            INSERT INTO admin_event (actor, action, target, details, created_at)
            VALUES (:actor, :action, :target, :details, :now)
            """)
        .bind("actor", actor)
        .bind("action", action)
        .bind("target", target)
        .bind("details", Json.write(details))
        .bind("now", clock.millis())
        .execute();
  }

  /** A page of the log, newest first. */
  public Page<AdminEvent> list(int page, int perPage) {
    long offset = Page.offset(page, perPage);
    return database.read(
        handle -> {
          List<AdminEvent> events =
              handle
                  .createQuery(
                      """
                      SELECT id, actor, action, target, details, created_at
                      FROM admin_event
                      ORDER BY id DESC
                      LIMIT :limit OFFSET :offset
                      """)
                  .bind("limit", perPage)
                  .bind("offset", offset)
                  .map(AdminLog::event)
                  .list();
          long total =
              handle.createQuery("SELECT COUNT(*) FROM admin_event").mapTo(Long.class).one();
          return new Page<>(events, total, page, perPage);
        });
  }

  private static AdminEvent event(ResultSet row, StatementContext context) throws SQLException {
    return new AdminEvent(
        row.getLong("id"),
        row.getString("actor"),
        row.getString("action"),
        row.getString("target"),
        Json.parseObject(row.getString("details")),
        Instant.ofEpochMilli(row.getLong("created_at")));
  }
}
