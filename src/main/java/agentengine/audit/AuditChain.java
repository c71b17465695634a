package agentengine.audit;

import agentengine.db.Database;
import agentengine.json.Json;
import agentengine.secret.MasterKey;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import org.jdbi.v3.core.Handle;

/**
 * What makes the audit log tamper-evident: each row's hash is a mark, under the master key, of its
 * content and of the hash before it; the head tells how many rows there are.
 */
public final class AuditChain {
  private static final String LOCK = "audit";
  private static final String ROW_PURPOSE = "audit.row";
  private static final String HEAD_PURPOSE = "audit.head";

  /** The end of the log: the number and hash of its last row, and the mark that seals both. */
  public record Head(long number, String hash, String seal) {
    static final Head EMPTY = new Head(0, "", "");
  }

  /** A row's place in the log. */
  record Link(long number, String hash) {}

  private final Database db;
  private final MasterKey key;

  public AuditChain(Database db, MasterKey key) {
    this.db = db;
    this.key = key;
  }

  /** The next place, for a row with this content; inside the transaction that writes the row. */
  Link append(Handle handle, String contentDigest) {
    db.lock(handle, LOCK);
    Head last = head(handle);
    Link link = new Link(last.number() + 1, hash(last.number() + 1, last.hash(), contentDigest));
    handle
        .createUpdate(
            """
            INSERT INTO audit_head (id, number, hash, seal) VALUES (1, :number, :hash, :seal)
            ON CONFLICT (id) DO UPDATE
            SET number = excluded.number, hash = excluded.hash, seal = excluded.seal
            """)
        .bind("number", link.number())
        .bind("hash", link.hash())
        .bind("seal", seal(link.number(), link.hash()))
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

  /** The hash of the row of that number after the one with that hash. */
  String hash(long number, String hashBefore, String contentDigest) {
    return key.mark(number + " " + hashBefore + " " + contentDigest, ROW_PURPOSE);
  }

  /** The seal of a head. */
  String seal(long number, String hash) {
    return key.mark(number + " " + hash, HEAD_PURPOSE);
  }

  /** The digest of all that a row tells; made outside of the transaction, as it may be long. */
  static String digest(ToolCallRecord call) {
    ArrayNode content = Json.array();
    content.add(call.callId()).add(call.sessionId()).add(call.path()).add(call.agent());
    content.add(call.tool()).add(call.userId()).add(call.input()).add(call.output());
    content.add(call.status()).add(call.durationMs()).add(call.createdAt().toEpochMilli());
    return sha256(Json.write(content));
  }

  static String sha256(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
