package agentengine.turn;

import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The turns of sub-agents, in and out of the table of turns; each answers one call. */
final class SubTurns {
  /** A sub-agent's turn. */
  record SubTurn(TurnKey key, TurnStatus status, Spent spent) {
    boolean isOpen() {
      return status == TurnStatus.RUNNING;
    }
  }

  private SubTurns() {}

  /** A sub-agent's turn has no node: it belongs to whoever runs its root. */
  static void insert(
      Handle handle,
      TurnKey key,
      String agent,
      String userId,
      String callId,
      TurnKey parent,
      Instant now) {
    handle
        .createUpdate(
            """
            INSERT INTO turn
              (session_id, number, agent, user_id, node, attempt, status, steps, tokens, created_at,
               call_id, parent_turn)
            VALUES
              (:session, :number, :agent, :user, '', :attempt, 'running', 0, 0, :now, :callId,
               :parentTurn)
            """)
        .bind("session", key.sessionId())
        .bind("number", key.number())
        .bind("agent", agent)
        .bind("user", userId)
        .bind("attempt", key.attempt())
        .bind("now", now.toEpochMilli())
        .bind("callId", callId)
        .bind("parentTurn", parent.number())
        .execute();
  }

  /** The turn that answers a call to a sub-agent, if it was begun. */
  static Optional<SubTurn> ofCall(Handle handle, String callId) {
    return handle
        .createQuery(
            """
            SELECT session_id, number, attempt, status, steps, tokens, input_tokens, output_tokens, cost
            FROM turn WHERE call_id = :callId
            """)
        .bind("callId", callId)
        .map(
            (row, _) ->
                new SubTurn(
                    new TurnKey(
                        row.getString("session_id"), row.getInt("number"), row.getInt("attempt")),
                    TurnStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                    Spent.of(row)))
        .findOne();
  }

  /** Takes up a sub-agent's turn under a new attempt; who had it before can write no more. */
  static SubTurn claim(Handle handle, SubTurn left) {
    TurnKey key =
        TurnStore.claim(handle, left.key(), "")
            .orElseThrow(() -> new LostTurnException(left.key()));
    return new SubTurn(key, left.status(), left.spent());
  }

  /** What the sub-agents used that a turn called, theirs included. */
  static Spent spentBelow(Handle handle, TurnKey key) {
    return handle
        .createQuery(
            """
            SELECT 0 AS steps, COALESCE(SUM(t.tokens), 0) AS tokens,
              COALESCE(SUM(t.input_tokens), 0) AS input_tokens,
              COALESCE(SUM(t.output_tokens), 0) AS output_tokens,
              CASE WHEN COUNT(CASE WHEN t.cost IS NULL AND t.tokens > 0 THEN 1 END) = 0
                THEN COALESCE(SUM(t.cost), 0) END AS cost
            FROM turn t JOIN session s ON s.id = t.session_id
            WHERE s.parent_id = :session AND t.parent_turn = :number
            """)
        .bind("session", key.sessionId())
        .bind("number", key.number())
        .map((row, _) -> Spent.of(row))
        .one();
  }

  /** Ends a sub-agent's turn that nobody will take up any more. */
  static void endOfCall(Handle handle, String callId, long now) {
    handle
        .createUpdate(
            """
            UPDATE session SET status = 'idle' WHERE id IN
              (SELECT session_id FROM turn WHERE call_id = :callId AND status = 'running')
            """)
        .bind("callId", callId)
        .execute();
    handle
        .createUpdate(
            """
            UPDATE turn SET status = 'failed', finished_at = :now
            WHERE call_id = :callId AND status = 'running'
            """)
        .bind("now", now)
        .bind("callId", callId)
        .execute();
  }
}
