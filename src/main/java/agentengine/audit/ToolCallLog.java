package agentengine.audit;

import agentengine.db.Database;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The query of the audit log: calls that have ended, newest first, a page at a time. */
public final class ToolCallLog {
  /** Which calls are wanted; null means any. The times are inclusive, to the millisecond. */
  public record Filter(
      @Nullable String sessionId,
      @Nullable String agent,
      @Nullable String tool,
      ToolLedger.@Nullable Status status,
      @Nullable String userId,
      @Nullable Instant from,
      @Nullable Instant to) {
    public static final Filter ALL = new Filter(null, null, null, null, null, null, null);
  }

  // The page is found in an index alone; only its own rows, which are long, are then read.
  static final String PAGE =
      """
      SELECT number, hash, call_id, session_id, path, agent, tool, user_id, input, output, status,
             duration_ms, created_at
      FROM tool_call
      WHERE number IS NOT NULL AND number IN (
        SELECT number FROM tool_call
        WHERE number IS NOT NULL <conditions>
        ORDER BY created_at DESC, number DESC
        LIMIT :limit OFFSET :offset)
      ORDER BY created_at DESC, number DESC
      """;

  static final String COUNT =
      "SELECT COUNT(*) FROM tool_call WHERE number IS NOT NULL <conditions>";

  private final Database database;

  public ToolCallLog(Database database) {
    this.database = database;
  }

  /** A page of the calls that fit. */
  public Page<AuditedCall> list(Filter filter, int page, int perPage) {
    long offset = Page.offset(page, perPage);
    Conditions conditions = new Conditions(filter);
    return database.read(
        handle -> {
          long total = total(handle, conditions);
          // Past the end there is nothing to look for.
          List<AuditedCall> calls =
              offset >= total ? List.of() : page(handle, conditions, perPage, offset);
          return new Page<>(calls, total, page, perPage);
        });
  }

  private static long total(Handle handle, Conditions conditions) {
    if (conditions.values.isEmpty()) {
      return AuditChain.head(handle).number();
    }
    return handle
        .createQuery(COUNT)
        .define("conditions", conditions.sql())
        .bindMap(conditions.values)
        .mapTo(Long.class)
        .one();
  }

  private static List<AuditedCall> page(
      Handle handle, Conditions conditions, int limit, long offset) {
    return handle
        .createQuery(PAGE)
        .define("conditions", conditions.sql())
        .bindMap(conditions.values)
        .bind("limit", limit)
        .bind("offset", offset)
        .map(
            (row, _) ->
                new AuditedCall(
                    row.getLong("number"), ToolCallRecord.of(row), row.getString("hash")))
        .list();
  }

  /** A filter as SQL: its texts are of this class, its values are bound. */
  static final class Conditions {
    private final StringBuilder sql = new StringBuilder();
    final Map<String, Object> values = new LinkedHashMap<>();

    Conditions(Filter filter) {
      add("AND session_id = :session", "session", filter.sessionId());
      add("AND agent = :agent", "agent", filter.agent());
      add("AND tool = :tool", "tool", filter.tool());
      add("AND user_id = :user", "user", filter.userId());
      add("AND status = :status", "status", name(filter.status()));
      add("AND created_at >= :from", "from", millis(filter.from()));
      add("AND created_at <= :to", "to", millis(filter.to()));
    }

    private void add(String condition, String name, @Nullable Object value) {
      if (value != null) {
        sql.append(condition).append(' ');
        values.put(name, value);
      }
    }

    private static @Nullable String name(ToolLedger.@Nullable Status status) {
      return status == null ? null : status.wireName();
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
      return instant == null ? null : instant.toEpochMilli();
    }

    String sql() {
      return sql.toString();
    }
  }
}
