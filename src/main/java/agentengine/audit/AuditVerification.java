package agentengine.audit;

import agentengine.db.StoreUnavailable;
import agentengine.secret.MasterKey;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.result.ResultIterator;

/**
 * Proves that no row of the audit log was changed, removed or put in since the engine wrote it, or
 * finds the first one that was. Reads row by row; must see one state of the data throughout.
 */
public final class AuditVerification {
  // Rows are long; so many at a time is what a reader of PostgreSQL holds in memory.
  private static final int ROWS_AT_A_TIME = 20;

  /** What a verification found. */
  public sealed interface Result {
    /** All is as the engine wrote it; the hash is that of the last call, empty without calls. */
    record Intact(long calls, String lastHash) implements Result {}

    /** Something is not; the problem is a sentence that names the first such call. */
    record Broken(String problem) implements Result {}
  }

  private record Row(long number, String digest, String hash) {
    static Row of(ResultSet row) throws SQLException {
      String callDigest = AuditMarks.digest(ToolCallRecord.of(row));
      return new Row(
          row.getLong("number"),
          AuditMarks.digest(callDigest, Gate.of(row)),
          // Null in a row that somebody made, which then is no hash that fits.
          Optional.ofNullable(row.getString("hash")).orElse(""));
    }
  }

  private final Handle handle;
  private final AuditMarks marks;
  private final AuditChain.Head head;
  private final boolean isHeadSealed;

  private AuditVerification(Handle handle, MasterKey key) {
    this.handle = handle;
    this.marks = new AuditMarks(key);
    this.head = AuditChain.head(handle);
    this.isHeadSealed = marks.seal(head.number(), head.hash()).equals(head.seal());
  }

  /** Verifies the whole log, inside a transaction that sees nothing of what others commit. */
  public static Result run(Handle handle, MasterKey key) {
    requireLog(handle);
    return new AuditVerification(handle, key).walk();
  }

  private static void requireLog(Handle handle) {
    try (ResultSet tables =
        handle.getConnection().getMetaData().getTables(null, null, "audit_head", null)) {
      if (!tables.next()) {
        throw new StoreUnavailable(
            "the database has no audit log; it is not an engine's, or an older engine's");
      }
    } catch (SQLException e) {
      throw new StoreUnavailable("the database cannot be read: " + e.getMessage(), e);
    }
  }

  private Result walk() {
    long count = 0;
    String lastHash = "";
    try (ResultIterator<Row> rows = rows()) {
      while (rows.hasNext()) {
        Row row = rows.next();
        if (row.number() != count + 1) {
          return misplaced(row.number(), count + 1);
        }
        if (!row.hash().equals(marks.hash(row.number(), lastHash, row.digest()))) {
          return misfit(row.number());
        }
        count++;
        lastHash = row.hash();
      }
    }
    return end(count, lastHash);
  }

  private ResultIterator<Row> rows() {
    return handle
        .createQuery(
            """
            SELECT number, hash, call_id, session_id, path, agent, tool, user_id, input, output,
                   status, duration_ms, created_at, input_hash, decision, reason, decided_by
            FROM tool_call
            WHERE number IS NOT NULL
            ORDER BY number
            """)
        .setFetchSize(ROWS_AT_A_TIME)
        .map((row, _) -> Row.of(row))
        .iterator();
  }

  private Result misplaced(long number, long expected) {
    if (number < expected || isBeyondEnd(expected)) {
      return added("call " + number);
    }
    String gap = number - expected == 1 ? "" : " (" + expected + " to " + (number - 1) + ")";
    return new Result.Broken("call " + expected + " was removed" + gap);
  }

  private Result misfit(long number) {
    if (isBeyondEnd(number)) {
      return added("call " + number);
    }
    if (number == 1 && !isHeadSealed) {
      return new Result.Broken(
          "neither call 1 nor the end of the log was marked with this master key; probably it is"
              + " not the key that the engine runs with");
    }
    return new Result.Broken("call " + number + " was changed");
  }

  private boolean isBeyondEnd(long number) {
    return isHeadSealed && number > head.number();
  }

  private static Result added(String call) {
    return new Result.Broken(call + " was added by somebody else than the engine");
  }

  private Result end(long count, String lastHash) {
    if (head.equals(AuditChain.Head.EMPTY)) {
      if (count > 0) {
        return new Result.Broken(
            "the mark of the log's end was removed; calls after call " + count + " may be missing");
      }
    } else if (!isHeadSealed) {
      return new Result.Broken(
          "the mark of the log's end was changed, or this is not the master key that the engine"
              + " runs with; calls after call "
              + count
              + " may be missing");
    } else if (head.number() > count) {
      return new Result.Broken(
          "call " + (count + 1) + " was removed: the log went up to call " + head.number());
    } else if (head.number() < count || !head.hash().equals(lastHash)) {
      return new Result.Broken(
          "the mark of the log's end was changed: it fits call "
              + head.number()
              + ", and there are "
              + count);
    }
    return unplaced().orElseGet(() -> new Result.Intact(count, lastHash));
  }

  /** An ended call without a number would be hidden: neither listed nor in the chain. */
  private Optional<Result> unplaced() {
    return handle
        .createQuery(
            """
            SELECT call_id FROM tool_call
            WHERE number IS NULL AND (status IN ('completed', 'failed') OR hash IS NOT NULL)
            ORDER BY call_id
            LIMIT 1
            """)
        .mapTo(String.class)
        .findOne()
        .map(id -> added("an ended call without a number, id " + id + ","));
  }
}
