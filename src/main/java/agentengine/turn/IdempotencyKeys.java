package agentengine.turn;

import agentengine.error.EngineException;
import java.time.Duration;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** The requests that may be sent again: the same one gets the turn that the first one started. */
final class IdempotencyKeys {
  private static final Duration KEPT = Duration.ofHours(24);

  /** A key of a caller, and the digest of the request it came with. */
  record Claim(String owner, String key, String bodyHash) {}

  /** The turn that a request started. */
  record First(String sessionId, int turn) {}

  private IdempotencyKeys() {}

  /**
   * The turn of the first request with this key, if there was one.
   *
   * @throws EngineException when that one was another request
   */
  static Optional<First> first(Handle handle, Claim claim, long now) {
    return handle
        .createQuery(
            """
            SELECT session_id, turn, body_hash FROM idempotency_key
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
              return new First(row.getString("session_id"), row.getInt("turn"));
            })
        .findOne();
  }

  /** Ties a key to the turn it starts; false when another request was faster. */
  static boolean claim(Handle handle, Claim claim, TurnKey turn, long now) {
    return handle
            .createUpdate(
                """
                INSERT INTO idempotency_key (owner, key, body_hash, session_id, turn, created_at)
                VALUES (:owner, :key, :bodyHash, :session, :turn, :now)
                ON CONFLICT (owner, key) DO UPDATE
                SET body_hash = excluded.body_hash, session_id = excluded.session_id,
                    turn = excluded.turn, created_at = excluded.created_at
                WHERE idempotency_key.created_at <= :oldest
                """)
            .bind("owner", claim.owner())
            .bind("key", claim.key())
            .bind("bodyHash", claim.bodyHash())
            .bind("session", turn.sessionId())
            .bind("turn", turn.number())
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
