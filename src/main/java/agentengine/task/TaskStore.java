package agentengine.task;

import agentengine.auth.Caller;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** Tasks, in and out of their table; a status changes only as {@link TaskStatus} allows. */
public final class TaskStore {
  private final InstantSource clock;

  public TaskStore(InstantSource clock) {
    this.clock = clock;
  }

  void insert(Handle handle, Task task) {
    handle
        .createUpdate(
            """
            INSERT INTO task (id, owner, agent, title, description, status, created_at)
            VALUES (:id, :owner, :agent, :title, :description, :status, :createdAt)
            """)
        .bind("id", task.id())
        .bind("owner", task.owner())
        .bind("agent", task.agent())
        .bind("title", task.title())
        .bind("description", task.description())
        .bind("status", task.status().wireName())
        .bind("createdAt", task.createdAt().toEpochMilli())
        .execute();
  }

  Optional<Task> find(Handle handle, String id) {
    return handle
        .createQuery("SELECT * FROM task WHERE id = :id")
        .bind("id", id)
        .map((row, _) -> task(row))
        .findOne();
  }

  /** The newest first; a caller without admin sees only its own. */
  List<Task> list(
      Handle handle,
      Caller caller,
      @Nullable TaskStatus status,
      @Nullable String agent,
      int limit) {
    String where =
        "1 = 1"
            + (caller.isAdmin() ? "" : " AND owner = :owner")
            + (status == null ? "" : " AND status = :status")
            + (agent == null ? "" : " AND agent = :agent");
    return handle
        .createQuery("SELECT * FROM task WHERE <where> ORDER BY id DESC LIMIT :limit")
        .define("where", where)
        .configure(SqlStatements.class, config -> config.setUnusedBindingAllowed(true))
        .bind("owner", caller.id())
        .bind("status", status == null ? null : status.wireName())
        .bind("agent", agent)
        .bind("limit", limit)
        .map((row, _) -> task(row))
        .list();
  }

  /** The oldest pending task of each owner that has one. */
  List<Task> oldestPending(Handle handle) {
    return handle
        .createQuery(
            """
            SELECT * FROM task WHERE id IN
              (SELECT min(id) FROM task
               WHERE status = 'pending' AND finished_at IS NULL GROUP BY owner)
            ORDER BY id
            """)
        .map((row, _) -> task(row))
        .list();
  }

  /** How many tasks of an owner have not ended. */
  int open(Handle handle, String owner) {
    return handle
        .createQuery("SELECT count(*) FROM task WHERE owner = :owner AND finished_at IS NULL")
        .bind("owner", owner)
        .mapTo(Integer.class)
        .one();
  }

  /** How many tasks there are in each status. */
  Map<TaskStatus, Long> counts(Handle handle) {
    Map<TaskStatus, Long> counts = new HashMap<>();
    handle
        .createQuery("SELECT status, count(*) AS n FROM task GROUP BY status")
        .map((row, _) -> Map.entry(TaskStatus.ofWireName(row.getString(1)), row.getLong(2)))
        .forEach(entry -> counts.put(entry.getKey(), entry.getValue()));
    return counts;
  }

  /** Notes that work begins in a session; false when somebody was faster. */
  boolean begin(Handle handle, String id, String sessionId) {
    return handle
            .createUpdate(
                """
                UPDATE task SET status = 'in_progress', session_id = :session, started_at = :now
                WHERE id = :id AND status = 'pending'
                """)
            .bind("session", sessionId)
            .bind("now", clock.millis())
            .bind("id", id)
            .execute()
        > 0;
  }

  /** Moves the open task of a session; without one nothing happens. */
  void moveOfSession(Handle handle, String sessionId, TaskStatus to) {
    handle
        .createUpdate(
            """
            UPDATE task SET status = :to
            WHERE session_id = :session AND finished_at IS NULL AND status IN (<before>)
            """)
        .bindList("before", to.before())
        .bind("to", to.wireName())
        .bind("session", sessionId)
        .execute();
  }

  /** Ends a task; false when it had ended, or may not end like that from where it stands. */
  boolean end(
      Handle handle, String id, TaskStatus to, @Nullable String result, @Nullable String error) {
    return handle
            .createUpdate(
                """
                UPDATE task SET status = :to, result = :result, error = :error, finished_at = :now
                WHERE id = :id AND status IN (<before>)
                """)
            .bindList("before", to.before())
            .bind("to", to.wireName())
            .bind("result", result)
            .bind("error", error)
            .bind("now", clock.millis())
            .bind("id", id)
            .execute()
        > 0;
  }

  private static Task task(ResultSet row) throws SQLException {
    return new Task(
        row.getString("id"),
        row.getString("owner"),
        row.getString("agent"),
        row.getString("title"),
        row.getString("description"),
        TaskStatus.ofWireName(row.getString("status")),
        row.getString("session_id"),
        row.getString("result"),
        row.getString("error"),
        Instant.ofEpochMilli(row.getLong("created_at")),
        instant(row, "started_at"),
        instant(row, "finished_at"));
  }

  private static @Nullable Instant instant(ResultSet row, String column) throws SQLException {
    long millis = row.getLong(column);
    return row.wasNull() ? null : Instant.ofEpochMilli(millis);
  }
}
