package agentengine.turn;

import agentengine.json.Json;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Turns and their durable events, in and out of their tables. */
final class TurnStore {
  /** A turn that no living process works on. */
  record Orphan(
      TurnKey key, String agent, String userId, int steps, int tokens, boolean cancelled) {}

  /** A sub-agent's turn. */
  record SubTurn(TurnKey key, TurnStatus status, int steps, int tokens) {
    boolean isOpen() {
      return status == TurnStatus.RUNNING;
    }
  }

  private static final Map<String, Class<? extends TurnEvent.Durable>> EVENT_TYPES =
      Stream.<Class<? extends TurnEvent.Durable>>of(
              TurnEvent.MessageComplete.class,
              TurnEvent.ConfirmationAsked.class,
              TurnEvent.ToolStarted.class,
              TurnEvent.ToolReturned.class,
              TurnEvent.StructuredOutputShown.class,
              TurnEvent.Failed.class,
              TurnEvent.Done.class)
          .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, type -> type));

  private TurnStore() {}

  static void insert(
      Handle handle, TurnKey key, String agent, String userId, String node, long now) {
    handle
        .createUpdate(
            """
            INSERT INTO turn
              (session_id, number, agent, user_id, node, attempt, status, steps, tokens, created_at)
            VALUES (:session, :number, :agent, :user, :node, :attempt, 'running', 0, 0, :now)
            """)
        .bind("session", key.sessionId())
        .bind("number", key.number())
        .bind("agent", agent)
        .bind("user", userId)
        .bind("node", node)
        .bind("attempt", key.attempt())
        .bind("now", now)
        .execute();
  }

  /** A sub-agent's turn has no node: it belongs to whoever runs its root. */
  static void insertSub(
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
            SELECT session_id, number, attempt, status, steps, tokens FROM turn
            WHERE call_id = :callId
            """)
        .bind("callId", callId)
        .map(
            (row, _) ->
                new SubTurn(
                    new TurnKey(
                        row.getString("session_id"), row.getInt("number"), row.getInt("attempt")),
                    TurnStatus.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
                    row.getInt("steps"),
                    row.getInt("tokens")))
        .findOne();
  }

  /** Takes up a sub-agent's turn under a new attempt; who had it before can write no more. */
  static SubTurn claim(Handle handle, SubTurn left) {
    TurnKey key =
        claim(handle, left.key(), "").orElseThrow(() -> new LostTurnException(left.key()));
    return new SubTurn(key, left.status(), left.steps(), left.tokens());
  }

  /** What the sub-agents used that a turn called, theirs included. */
  static int tokensBelow(Handle handle, TurnKey key) {
    return handle
        .createQuery(
            """
            SELECT COALESCE(SUM(t.tokens), 0) FROM turn t JOIN session s ON s.id = t.session_id
            WHERE s.parent_id = :session AND t.parent_turn = :number
            """)
        .bind("session", key.sessionId())
        .bind("number", key.number())
        .mapTo(Integer.class)
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

  /** Only a session's last turn can be replayed, and those whose request may be sent again. */
  static void forgetEventsBefore(Handle handle, TurnKey key) {
    handle
        .createUpdate(
            """
            DELETE FROM turn_event
            WHERE session_id = :session AND turn < :number
              AND NOT EXISTS (SELECT 1 FROM idempotency_key k
                WHERE k.session_id = turn_event.session_id AND k.turn = turn_event.turn)
            """)
        .bind("session", key.sessionId())
        .bind("number", key.number())
        .execute();
  }

  /** The first statement of every write of a turn: fails when the turn is no longer ours. */
  static void advance(Handle handle, TurnState turn) {
    TurnKey key = turn.key();
    guarded(
        key,
        handle
            .createUpdate(
                """
                UPDATE turn SET steps = :steps, tokens = :tokens
                WHERE session_id = :session AND number = :number AND attempt = :attempt
                  AND status = 'running'
                """)
            .bind("steps", turn.steps())
            .bind("tokens", turn.tokens())
            .bind("session", key.sessionId())
            .bind("number", key.number())
            .bind("attempt", key.attempt())
            .execute());
  }

  /**
   * Ends a turn.
   *
   * @throws TurnFailure when it was to be completed and somebody has cancelled it meanwhile
   */
  static void finish(
      Handle handle, TurnKey key, TurnStatus status, int steps, int tokens, long now) {
    boolean cancelled =
        handle
            .createQuery(
                """
                UPDATE turn SET status = :status, steps = :steps, tokens = :tokens, finished_at = :now
                WHERE session_id = :session AND number = :number AND attempt = :attempt
                  AND status = 'running'
                RETURNING cancelled_at
                """)
            .bind("status", status.wireName())
            .bind("steps", steps)
            .bind("tokens", tokens)
            .bind("now", now)
            .bind("session", key.sessionId())
            .bind("number", key.number())
            .bind("attempt", key.attempt())
            .map((row, _) -> row.getObject("cancelled_at") != null)
            .findOne()
            .orElseThrow(() -> new LostTurnException(key));
    if (cancelled && status == TurnStatus.COMPLETED) {
      throw TurnFailure.of(TurnControl.Ending.CANCELLED);
    }
  }

  private static void guarded(TurnKey key, int changedRows) {
    if (changedRows == 0) {
      throw new LostTurnException(key);
    }
  }

  static void insertEvent(Handle handle, String sessionId, LoggedEvent logged) {
    handle
        .createUpdate(
            """
            INSERT INTO turn_event (session_id, turn, attempt, n, type, data)
            VALUES (:session, :turn, :attempt, :n, :type, :data)
            """)
        .bind("session", sessionId)
        .bind("turn", logged.id().turn())
        .bind("attempt", logged.id().attempt())
        .bind("n", logged.id().n())
        .bind("type", logged.event().getClass().getSimpleName())
        .bind("data", Json.writeRecord(logged.event()))
        .execute();
  }

  static List<LoggedEvent> events(Handle handle, String sessionId, int turn) {
    return handle
        .createQuery(
            """
            SELECT attempt, n, type, data FROM turn_event
            WHERE session_id = :session AND turn = :turn ORDER BY attempt, n
            """)
        .bind("session", sessionId)
        .bind("turn", turn)
        .map(
            (row, _) ->
                new LoggedEvent(
                    new EventId(turn, row.getInt("attempt"), row.getInt("n")),
                    event(row.getString("type"), row.getString("data"))))
        .list();
  }

  private static TurnEvent event(String type, String data) {
    Class<? extends TurnEvent.Durable> known = EVENT_TYPES.get(type);
    if (known == null) {
      throw new IllegalStateException("the store holds an event of the unknown type " + type);
    }
    return Json.parseRecord(data, known);
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
            SELECT session_id, number, agent, user_id, attempt, steps, tokens, cancelled_at
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
            SELECT session_id, number, agent, user_id, attempt, steps, tokens, cancelled_at
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
        row.getInt("steps"),
        row.getInt("tokens"),
        row.getObject("cancelled_at") != null);
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
