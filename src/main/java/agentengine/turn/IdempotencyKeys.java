package agentengine.turn;

import agentengine.error.EngineException;
import java.time.Duration;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The requests that may be sent again: the same one gets what the first one started. */
public final class IdempotencyKeys {
  private static final Duration KEPT = Duration.ofHours(24);

  /** A key of a caller, and the digest of the request it came with. */
  public record Claim(String owner, String key, String bodyHash) {}

  /** What a request started: a turn of a session, or a task. */
  public record First(@Nullable String sessionId, int turn, @Nullable String taskId) {
    static First turn(TurnKey key) {
      return new First(key.sessionId(), key.number(), null);
    }

    public static First task(String id) {
      return new First(null, 0, id);
    }
  }

  private IdempotencyKeys() {}

  /**
   * What the first request with this key started, if there was one.
   *
   * @throws EngineException when that one was another request
   */
  public static Optional<First> first(Handle handle, Claim claim, long now) {
    return handle
        .createQuery(
            """
            SELECT session_id, turn, task_id, body_hash FROM idempotency_key
            WHERE owner = :owner AND key = :key AND created_at > :oldest
            """)
        .bind("owner", claim.owner())
        .bind("key", claim.key())
        .bind("oldest", now - KEPT.toMillis())
        .map(
            (row, _) -> {
              if (!row.getString("body_hash").equals(claim.bodyHash())) {
                throw EngineException.conflict(
                    "this Idempotency-Key came with another request before; choose a new one");
              }
              return new First(
                  row.getString("session_id"), row.getInt("turn"), row.getString("task_id"));
            })
        .findOne();
  }

  /** Ties a key to what it starts; false when another request was faster. */
  public static boolean claim(Handle handle, Claim claim, First first, long now) {
    return handle
            .createUpdate(
                """
                INSERT INTO idempotency_key
                  (owner, key, body_hash, session_id, turn, task_id, created_at)
                VALUES (:owner, :key, :bodyHash, :session, :turn, :task, :now)
                ON CONFLICT (owner, key) DO UPDATE
                SET body_hash = excluded.body_hash, session_id = excluded.session_id,
                    turn = excluded.turn, task_id = excluded.task_id, created_at = excluded.created_at
                WHERE idempotency_key.created_at <= :oldest
                """)
            .bind("owner", claim.owner())
            .bind("key", claim.key())
            .bind("bodyHash", claim.bodyHash())
            .bind("session", first.sessionId())
            .bind("turn", first.turn())
            .bind("task", first.taskId())
            .bind("now", now)
            .bind("oldest", now - KEPT.toMillis())
            .execute()
        > 0;
  }

  /** Forgets the keys that have had their time. */
  static void forgetOld(Handle handle, long now) {
    handle
        .createUpdate("DELETE FROM idempotency_key WHERE created_at <= :oldest")
        .bind("oldest", now - KEPT.toMillis())
        .execute();
  }
}
