package agentengine.audit;

import agentengine.secret.Sha256;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The ledger of tool calls: where each call stands, written before anything is done about it. Its
 * ended rows are the audit log; there is no second record to forget.
 */
public final class ToolLedger {
  /** Where a call stands. */
  public enum Status {
    /** A person is asked. */
    WAITING,
    /** It was started and has no result yet. */
    RUNNING,
    COMPLETED,
    FAILED;

    public boolean isEnd() {
      return this == COMPLETED || this == FAILED;
    }

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A call as it was asked for. */
  public record Call(
      String callId,
      String sessionId,
      String path,
      String agent,
      String tool,
      String userId,
      String input,
      Instant createdAt) {}

  /** What a person said to a call, or that nobody said anything in time. */
  public record Decision(Verdict verdict, @Nullable String reason, @Nullable String by) {}

  /** The kinds of decision. */
  public enum Verdict {
    APPROVE,
    REJECT,
    /** The words of a person who was asked a question. */
    ANSWER,
    EXPIRED;

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A call and where it stands; the output is there when it has ended. */
  public record Entry(
      Call call,
      Status status,
      @Nullable String inputHash,
      @Nullable Decision decision,
      @Nullable String output) {}

  private final AuditChain chain;

  public ToolLedger(AuditChain chain) {
    this.chain = chain;
  }

  /** What a confirmation binds: the tool and its exact arguments. */
  public static String hash(Call call) {
    return Sha256.hex(call.tool() + "\n" + call.input());
  }

  /** Notes that a person is asked about a call; the hash is that of what the person is shown. */
  public void await(Handle handle, Call call, String inputHash) {
    insert(handle, call, Status.WAITING, inputHash);
  }

  /** Notes that a call that nobody is asked about is started. */
  public void begin(Handle handle, Call call) {
    insert(handle, call, Status.RUNNING, null);
  }

  private static void insert(Handle handle, Call call, Status status, @Nullable String inputHash) {
    handle
        .createUpdate(
            """
            INSERT INTO tool_call
              (call_id, session_id, path, agent, tool, user_id, input, status, input_hash,
               created_at)
            VALUES
              (:callId, :session, :path, :agent, :tool, :user, :input, :status, :inputHash,
               :createdAt)
            """)
        .bind("callId", call.callId())
        .bind("session", call.sessionId())
        .bind("path", call.path())
        .bind("agent", call.agent())
        .bind("tool", call.tool())
        .bind("user", call.userId())
        .bind("input", call.input())
        .bind("status", status.wireName())
        .bind("inputHash", inputHash)
        .bind("createdAt", call.createdAt().toEpochMilli())
        .execute();
  }

  /** Notes that an approved call is started. */
  public void beginApproved(Handle handle, String callId) {
    int changed =
        handle
            .createUpdate(
                """
                UPDATE tool_call SET status = 'running'
                WHERE call_id = :callId AND status = 'waiting' AND decision = 'approve'
                """)
            .bind("callId", callId)
            .execute();
    if (changed == 0) {
      throw new IllegalStateException("call " + callId + " is not one that was approved");
    }
  }

  /** What {@link #end} writes, with the digest that was made of it beforehand. */
  public static final class Ending {
    private final ToolCallRecord call;
    private final String callDigest;

    public Ending(Call call, Status status, String output, long durationMs) {
      if (!status.isEnd()) {
        throw new IllegalArgumentException(status + " is not an end");
      }
      this.call = ToolCallRecord.of(call, status, output, durationMs);
      this.callDigest = AuditMarks.digest(this.call);
    }
  }

  /**
   * Ends a call that is in the ledger and open, as the call that was put there; one that waits for
   * a person can only fail. From now on its row never changes.
   */
  public void end(Handle handle, Ending ending) {
    // Before the row, as everybody does, so that two nodes never wait for each other.
    AuditChain.Head last = chain.hold(handle);
    Gate gate = close(handle, ending.call);
    AuditChain.Link link = chain.append(handle, last, AuditMarks.digest(ending.callDigest, gate));
    handle
        .createUpdate("UPDATE tool_call SET number = :number, hash = :hash WHERE call_id = :callId")
        .bind("number", link.number())
        .bind("hash", link.hash())
        .bind("callId", ending.call.callId())
        .execute();
  }

  /** Writes the result. From here on nobody can decide about the call any more. */
  private static Gate close(Handle handle, ToolCallRecord call) {
    return handle
        .createQuery(
            """
            UPDATE tool_call
            SET status = :status, output = :output, duration_ms = :duration
            WHERE call_id = :callId AND number IS NULL
              AND (status = 'running' OR decision = 'answer' OR :status = 'failed')
              AND session_id = :session AND path = :path AND agent = :agent AND tool = :tool
              AND user_id = :user AND input = :input AND created_at = :createdAt
            RETURNING input_hash, decision, reason, decided_by
            """)
        .bind("status", call.status())
        .bind("output", call.output())
        .bind("duration", call.durationMs())
        .bind("callId", call.callId())
        .bind("session", call.sessionId())
        .bind("path", call.path())
        .bind("agent", call.agent())
        .bind("tool", call.tool())
        .bind("user", call.userId())
        .bind("input", call.input())
        .bind("createdAt", call.createdAt().toEpochMilli())
        .map((row, _) -> Gate.of(row))
        .findOne()
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "call " + call.callId() + " is not open, or not the one that was begun"));
  }

  /** Notes what was decided about a waiting call; false when it had been decided, or has ended. */
  public boolean decide(Handle handle, String callId, Decision decision) {
    return handle
            .createUpdate(
                """
                UPDATE tool_call SET decision = :verdict, reason = :reason, decided_by = :by
                WHERE call_id = :callId AND status = 'waiting' AND decision IS NULL
                """)
            .bind("verdict", decision.verdict().wireName())
            .bind("reason", decision.reason())
            .bind("by", decision.by())
            .bind("callId", callId)
            .execute()
        > 0;
  }

  /** Calls by their ids; those that are not there are left out. */
  public List<Entry> find(Handle handle, Collection<String> callIds) {
    if (callIds.isEmpty()) {
      return List.of();
    }
    return handle
        .createQuery("SELECT * FROM tool_call WHERE call_id IN (<ids>)")
        .bindList("ids", List.copyOf(callIds))
        .map((row, _) -> entry(row))
        .list();
  }

  public Optional<Entry> find(Handle handle, String callId) {
    return handle
        .createQuery("SELECT * FROM tool_call WHERE call_id = :callId")
        .bind("callId", callId)
        .map((row, _) -> entry(row))
        .findOne();
  }

  /** The calls of a root session, sub-agents' included, that a person has yet to decide on. */
  public List<Call> undecided(Handle handle, String sessionId) {
    return handle
        .createQuery(
            """
            SELECT * FROM tool_call
            WHERE session_id = :session AND number IS NULL AND status = 'waiting'
              AND decision IS NULL
            ORDER BY call_id
            """)
        .bind("session", sessionId)
        .map((row, _) -> entry(row).call())
        .list();
  }

  /** The calls of a root session, sub-agents' included, that have not ended. */
  public List<Call> open(Handle handle, String sessionId) {
    return handle
        .createQuery(
            """
            SELECT * FROM tool_call WHERE session_id = :session AND number IS NULL ORDER BY call_id
            """)
        .bind("session", sessionId)
        .map((row, _) -> entry(row).call())
        .list();
  }

  /** All calls that were decided on and not yet taken up again. */
  public List<String> decided(Handle handle) {
    return handle
        .createQuery(
            """
            SELECT call_id FROM tool_call
            WHERE number IS NULL AND status = 'waiting' AND decision IS NOT NULL
            """)
        .mapTo(String.class)
        .list();
  }

  private static Entry entry(ResultSet row) throws SQLException {
    String verdict = row.getString("decision");
    return new Entry(
        new Call(
            row.getString("call_id"),
            row.getString("session_id"),
            row.getString("path"),
            row.getString("agent"),
            row.getString("tool"),
            row.getString("user_id"),
            row.getString("input"),
            Instant.ofEpochMilli(row.getLong("created_at"))),
        Status.valueOf(row.getString("status").toUpperCase(Locale.ROOT)),
        row.getString("input_hash"),
        verdict == null
            ? null
            : new Decision(
                Verdict.valueOf(verdict.toUpperCase(Locale.ROOT)),
                row.getString("reason"),
                row.getString("decided_by")),
        row.getString("output"));
  }
}
