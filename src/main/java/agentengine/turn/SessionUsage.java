package agentengine.turn;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * What all turns of a session took, with those of their sub-agents.
 *
 * @param costNanos in billionths of a USD; null when a part of it is not known
 */
public record SessionUsage(
    long inputTokens, long outputTokens, long tokens, @Nullable Long costNanos) {

  /** Of a session in which nothing was said yet. */
  public static final SessionUsage NONE = new SessionUsage(0, 0, 0, 0L);

  private record OfSession(String id, SessionUsage usage) {}

  /** Of a session and of all below it, by their ids. */
  static Map<String, SessionUsage> below(Handle handle, String sessionId) {
    return handle
        .createQuery(
            """
            WITH RECURSIVE tree (id) AS (
              SELECT id FROM session WHERE id = :session
              UNION ALL
              SELECT s.id FROM session s JOIN tree ON s.parent_id = tree.id)
            SELECT session_id, SUM(input_tokens) AS input_tokens,
              SUM(output_tokens) AS output_tokens, SUM(tokens) AS tokens,
              COALESCE(SUM(cost), 0) AS cost,
              SUM(CASE WHEN cost IS NULL AND tokens > 0 THEN 1 ELSE 0 END) AS unpriced
            FROM turn WHERE session_id IN (SELECT id FROM tree) GROUP BY session_id
            """)
        .bind("session", sessionId)
        .map((row, _) -> ofSession(row))
        .list()
        .stream()
        .collect(Collectors.toMap(OfSession::id, OfSession::usage));
  }

  private static OfSession ofSession(ResultSet row) throws SQLException {
    return new OfSession(
        row.getString("session_id"),
        new SessionUsage(
            row.getLong("input_tokens"),
            row.getLong("output_tokens"),
            row.getLong("tokens"),
            row.getLong("unpriced") > 0 ? null : Long.valueOf(row.getLong("cost"))));
  }
}
