package agentengine.db;

import java.time.Duration;
import java.time.InstantSource;

/**
 * This process's sign of life in the database; what it owns is taken over when it stops renewing.
 */
public final class NodeLease {
  private static final Duration TERM = Duration.ofSeconds(10);

  private final Database db;
  private final InstantSource clock;
  private final String id;

  public NodeLease(Database db, InstantSource clock, Ids ids) {
    this.db = db;
    this.clock = clock;
    this.id = ids.next();
  }

  public String id() {
    return id;
  }

  /** To be called several times within a term. */
  public void renew() {
    db.write(
        handle ->
            handle
                .createUpdate(
                    """
                    INSERT INTO node (id, expires_at) VALUES (:id, :expiresAt)
                    ON CONFLICT (id) DO UPDATE SET expires_at = excluded.expires_at
                    """)
                .bind("id", id)
                .bind("expiresAt", clock.millis() + TERM.toMillis())
                .execute());
  }

  /** Says that this process is going, and sweeps away the signs of those that are long gone. */
  public void release() {
    db.write(
        handle ->
            handle
                .createUpdate("DELETE FROM node WHERE id = :id OR expires_at < :longAgo")
                .bind("id", id)
                .bind("longAgo", clock.millis() - 100 * TERM.toMillis())
                .execute());
  }
}
