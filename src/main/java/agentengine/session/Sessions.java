package agentengine.session;

import agentengine.auth.Caller;
import agentengine.db.Database;
import agentengine.db.HotStatement;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jspecify.annotations.Nullable;

/** The sessions in the store, as their owners may see them. */
public final class Sessions {
  private static final HotStatement INSERT =
      new HotStatement(
          """
          INSERT INTO session
            (id, parent_id, schema_name, agent, owner, status, turn_count, message_count,
             created_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
          """);

  private static final HotStatement BEGIN_TURN =
      new HotStatement(
          """
          UPDATE session
          SET status = 'running', turn_count = turn_count + 1, message_count = message_count + 1
          WHERE id = ? AND status = 'idle'
          RETURNING *
          """);

  private static final HotStatement ADD_MESSAGES =
      new HotStatement("UPDATE session SET message_count = message_count + ? WHERE id = ?");

  private static final HotStatement END_TURN =
      new HotStatement(
          "UPDATE session SET message_count = message_count + ?, status = 'idle' WHERE id = ?");

  private final Database db;

  public Sessions(Database db) {
    this.db = db;
  }

  /** The newest first; a caller without admin sees only its own. */
  public List<Session> list(Caller caller, @Nullable String agent, int limit) {
    String where =
        "parent_id IS NULL"
            + (caller.isAdmin() ? "" : " AND owner = :owner")
            + (agent == null ? "" : " AND agent = :agent");
    return db.read(
        handle ->
            handle
                .createQuery("SELECT * FROM session WHERE <where> ORDER BY id DESC LIMIT :limit")
                .define("where", where)
                .configure(SqlStatements.class, config -> config.setUnusedBindingAllowed(true))
                .bind("owner", caller.id())
                .bind("agent", agent)
                .bind("limit", limit)
                .map((row, _) -> session(row))
                .list());
  }

  /** The session, if this caller may know of it. */
  public Session get(Caller caller, String id) {
    return db.read(handle -> find(handle, caller, id))
        .orElseThrow(() -> EngineException.notFound("session", id));
  }

  public Optional<Session> find(Handle handle, Caller caller, String id) {
    return handle
        .createQuery("SELECT * FROM session WHERE id = :id AND parent_id IS NULL")
        .bind("id", id)
        .map((row, _) -> session(row))
        .findOne()
        .filter(session -> caller.isAdmin() || session.owner().equals(caller.id()));
  }

  /** A session with all that was said in it and below it, as it is at one moment. */
  public SessionTree tree(Caller caller, String id) {
    return db.read(
        handle ->
            tree(
                handle,
                find(handle, caller, id)
                    .orElseThrow(() -> EngineException.notFound("session", id))));
  }

  private static SessionTree tree(Handle handle, Session session) {
    List<SessionTree> children =
        handle
            .createQuery("SELECT * FROM session WHERE parent_id = :id ORDER BY id")
            .bind("id", session.id())
            .map((row, _) -> session(row))
            .list()
            .stream()
            .map(child -> tree(handle, child))
            .toList();
    return new SessionTree(session, Messages.all(handle, session.id()), children);
  }

  /** A session that is known to be there. */
  public Session byId(Handle handle, String id) {
    return handle
        .createQuery("SELECT * FROM session WHERE id = :id")
        .bind("id", id)
        .map((row, _) -> session(row))
        .one();
  }

  /** The conversation that an agent has with a sub-agent that keeps one. */
  public Optional<Session> child(Handle handle, String parentId, String agent) {
    return handle
        .createQuery(
            "SELECT * FROM session WHERE parent_id = :parent AND agent = :agent ORDER BY id LIMIT 1")
        .bind("parent", parentId)
        .bind("agent", agent)
        .map((row, _) -> session(row))
        .findOne();
  }

  public void delete(Caller caller, String id) {
    db.write(
        handle -> {
          if (find(handle, caller, id).isEmpty()) {
            throw EngineException.notFound("session", id);
          }
          int deleted =
              handle
                  .createUpdate("DELETE FROM session WHERE id = :id AND status = 'idle'")
                  .bind("id", id)
                  .execute();
          if (deleted == 0) {
            throw busy(id);
          }
          return null;
        });
  }

  /** Starts a conversation that is busy with its first turn. */
  public void insert(Handle handle, Session session) {
    INSERT.update(
        handle,
        session.id(),
        session.parentId(),
        session.schema(),
        session.agent(),
        session.owner(),
        session.status().wireName(),
        session.turnCount(),
        session.messageCount(),
        session.createdAt().toEpochMilli());
  }

  /** Claims an idle session for its next turn and its user message. */
  public Session beginTurn(Handle handle, String id) {
    return BEGIN_TURN.first(handle, Sessions::session, id).orElseThrow(() -> busy(id));
  }

  /** Notes that messages were added. */
  public void addMessages(Handle handle, String id, int added) {
    ADD_MESSAGES.update(handle, added, id);
  }

  /** Notes what a session with a turn under way does now. */
  public void setStatus(Handle handle, String id, SessionStatus status) {
    handle
        .createUpdate("UPDATE session SET status = :status WHERE id = :id AND status <> 'idle'")
        .bind("status", status.wireName())
        .bind("id", id)
        .execute();
  }

  /** Notes that a turn is over, and the messages it added at its end. */
  public void endTurn(Handle handle, String id, int added) {
    END_TURN.update(handle, added, id);
  }

  private static EngineException busy(String id) {
    return new EngineException(
        ErrorCode.SESSION_BUSY,
        "session '" + id + "' has a turn under way; wait for its end or cancel it");
  }

  private static Session session(ResultSet row) throws SQLException {
    return new Session(
        row.getString("id"),
        row.getString("parent_id"),
        row.getString("schema_name"),
        row.getString("agent"),
        row.getString("owner"),
        SessionStatus.ofWireName(row.getString("status")),
        row.getInt("turn_count"),
        row.getInt("message_count"),
        Instant.ofEpochMilli(row.getLong("created_at")));
  }
}
