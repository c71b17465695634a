package agentengine.turn;

import agentengine.db.HotStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Turns, in and out of their table; every write of one carries the attempt it belongs to. */
final class TurnStore {
  /** A turn that no living process works on. */
  record Orphan(
      TurnKey key,
      String agent,
      String userId,
      @Nullable String taskId,
      Spent spent,
      boolean cancelled,
      boolean overridden) {}

  private static final HotStatement INSERT =
      new HotStatement(
          """
          INSERT INTO turn
            (session_id, number, agent, user_id, task_id, node, attempt, status, steps, tokens,
             created_at, overridden)
          VALUES (?, ?, ?, ?, ?, ?, ?, 'running', 0, 0, ?, ?)
          """);

  private static final HotStatement ADVANCE =
      new HotStatement(
          """
          UPDATE turn SET steps = ?, tokens = ?, input_tokens = ?, output_tokens = ?, cost = ?
          WHERE session_id = ? AND number = ? AND attempt = ? AND status = 'running'
          """);

  private static final HotStatement FINISH =
      new HotStatement(
          """
          UPDATE turn SET status = ?, steps = ?, tokens = ?, input_tokens = ?, output_tokens = ?,
            cost = ?, finished_at = ?
          WHERE session_id = ? AND number = ? AND attempt = ? AND status = 'running'
          RETURNING cancelled_at
          """);

  private TurnStore() {}

  static void insert(
      Handle handle,
      TurnKey key,
      String agent,
      String userId,
      @Nullable String taskId,
      String node,
      boolean overridden,
      long now) {
    INSERT.update(
        handle,
        key.sessionId(),
        key.number(),
        agent,
        userId,
        taskId,
        node,
        key.attempt(),
        now,
        overridden);
  }

  /** The first statement of every write of a turn: fails when the turn is no longer ours. */
  static void advance(Handle handle, TurnState turn) {
    TurnKey key = turn.key();
    Spent spent = turn.spent();
    int changed =
        ADVANCE.update(
            handle,
            spent.steps(),
            spent.tokens(),
            spent.inputTokens(),
            spent.outputTokens(),
            spent.costNanos(),
            key.sessionId(),
            key.number(),
            key.attempt());
    if (changed == 0) {
      throw new LostTurnException(key);
    }
  }

  /**
   * Ends a turn.
   *
   * @throws TurnFailure when it was to be completed and somebody has cancelled it meanwhile
   */
  static void finish(Handle handle, TurnKey key, TurnStatus status, Spent spent, long now) {
    boolean cancelled =
        FINISH
            .first(
                handle,
                row -> row.getObject(1) != null,
                status.wireName(),
                spent.steps(),
                spent.tokens(),
                spent.inputTokens(),
                spent.outputTokens(),
                spent.costNanos(),
                now,
                key.sessionId(),
                key.number(),
                key.attempt())
            .orElseThrow(() -> new LostTurnException(key));
    if (cancelled && status == TurnStatus.COMPLETED) {
      throw TurnFailure.of(TurnControl.Ending.CANCELLED);
    }
  }

  /** Open turns that other nodes left behind; a null list of living nodes means only this lives. */
  static List<Orphan> orphans(Handle handle, String node, @Nullable Long now) {
    String dead =
        now == null
            ? "node <> :node"
            : "node <> :node AND node NOT IN (SELECT id FROM node WHERE expires_at > :now)";
    return handle
        .createQuery(
            """
            SELECT session_id, number, agent, user_id, task_id, attempt, steps, tokens,
              input_tokens, output_tokens, cost, cancelled_at, overridden
            FROM turn WHERE status = 'running' AND call_id IS NULL AND <dead>
            ORDER BY created_at LIMIT 1000
            """)
        .define("dead", dead)
        .bind("node", node)
        .bindMap(now == null ? Map.of() : Map.of("now", now))
        .map((row, _) -> orphan(row))
        .list();
  }

  /** One turn, if it is still open under the attempt given. */
  static Optional<Orphan> open(Handle handle, TurnKey key) {
    return handle
        .createQuery(
            """
            SELECT session_id, number, agent, user_id, task_id, attempt, steps, tokens,
              input_tokens, output_tokens, cost, cancelled_at, overridden
            FROM turn
            WHERE session_id = :session AND number = :number AND attempt = :attempt
              AND status = 'running'
            """)
        .bind("session", key.sessionId())
        .bind("number", key.number())
        .bind("attempt", key.attempt())
        .map((row, _) -> orphan(row))
        .findOne();
  }

  private static Orphan orphan(ResultSet row) throws SQLException {
    return new Orphan(
        new TurnKey(row.getString("session_id"), row.getInt("number"), row.getInt("attempt")),
        row.getString("agent"),
        row.getString("user_id"),
        row.getString("task_id"),
        Spent.of(row),
        row.getObject("cancelled_at") != null,
        row.getBoolean("overridden"));
  }

  /** Takes over an orphan under a new attempt, unless somebody else was faster. */
  static Optional<TurnKey> claim(Handle handle, TurnKey orphan, String node) {
    int claimed =
        handle
            .createUpdate(
                """
                UPDATE turn SET node = :node, attempt = attempt + 1
                WHERE session_id = :session AND number = :number AND attempt = :attempt
                  AND status = 'running'
                """)
            .bind("node", node)
            .bind("session", orphan.sessionId())
            .bind("number", orphan.number())
            .bind("attempt", orphan.attempt())
            .execute();
    return claimed == 0
        ? Optional.empty()
        : Optional.of(new TurnKey(orphan.sessionId(), orphan.number(), orphan.attempt() + 1));
  }

  /** Notes that somebody wants the open turn of a session to end; false when there is none. */
  static boolean requestCancel(Handle handle, String sessionId, long now) {
    return handle
            .createUpdate(
                """
                UPDATE turn SET cancelled_at = :now
                WHERE session_id = :session AND status = 'running'
                """)
            .bind("now", now)
            .bind("session", sessionId)
            .execute()
        > 0;
  }

  /** The sessions whose turn runs on this node although somebody asked for its end. */
  static List<String> cancelRequested(Handle handle, String node) {
    return handle
        .createQuery(
            """
            SELECT session_id FROM turn
            WHERE status = 'running' AND node = :node AND cancelled_at IS NOT NULL
            """)
        .bind("node", node)
        .mapTo(String.class)
        .list();
  }
}
