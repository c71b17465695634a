package agentengine.audit;

import agentengine.db.Database;
import agentengine.secret.MasterKey;
import org.jdbi.v3.core.Handle;

/**
 * What makes the audit log tamper-evident: each row's hash is a mark, under the master key, of its
 * content and of the hash before it; the head tells how many rows there are.
 */
public final class AuditChain {
  private static final String LOCK = "audit";

  /** The end of the log: the number and hash of its last row, and the mark that seals both. */
  record Head(long number, String hash, String seal) {
    static final Head EMPTY = new Head(0, "", "");
  }

  /** A row's place in the log. */
  record Link(long number, String hash) {}

  private final Database db;
  private final AuditMarks marks;

  public AuditChain(Database db, MasterKey key) {
    this.db = db;
    this.marks = new AuditMarks(key);
  }

  /**
   * The end of the log, which until this transaction's end no other one of any node can move: two
   * that appended to the same end would fork the chain.
   */
  Head hold(Handle handle) {
    db.lock(handle, LOCK);
    return head(handle);
  }

  /** Gives a row with this content the place after an end that {@link #hold} gave. */
  Link append(Handle handle, Head last, String digest) {
    long number = last.number() + 1;
    Link link = new Link(number, marks.hash(number, last.hash(), digest));
    handle
        .createUpdate(
            """
            INSERT INTO audit_head (id, number, hash, seal) VALUES (1, :number, :hash, :seal)
            ON CONFLICT (id) DO UPDATE
            SET number = excluded.number, hash = excluded.hash, seal = excluded.seal
            """)
        .bind("number", link.number())
        .bind("hash", link.hash())
        .bind("seal", marks.seal(link.number(), link.hash()))
        .execute();
    return link;
  }

  static Head head(Handle handle) {
    return handle
        .createQuery("SELECT number, hash, seal FROM audit_head WHERE id = 1")
        .map(
            (row, _) ->
                new Head(row.getLong("number"), row.getString("hash"), row.getString("seal")))
        .findOne()
        .orElse(Head.EMPTY);
  }
}
