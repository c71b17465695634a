package agentengine.audit;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

/** A tool call that has ended, as the audit log keeps it; input and output are JSON texts. */
public record ToolCallRecord(
    String callId,
    String sessionId,
    String path,
    String agent,
    String tool,
    String userId,
    String input,
    String output,
    String status,
    long durationMs,
    Instant createdAt) {

  static ToolCallRecord of(
      ToolLedger.Call call, ToolLedger.Status status, String output, long durationMs) {
    return new ToolCallRecord(
        call.callId(),
        call.sessionId(),
        call.path(),
        call.agent(),
        call.tool(),
        call.userId(),
        call.input(),
        output,
        status.wireName(),
        durationMs,
        call.createdAt());
  }

  static ToolCallRecord of(ResultSet row) throws SQLException {
    return new ToolCallRecord(
        row.getString("call_id"),
        row.getString("session_id"),
        row.getString("path"),
        row.getString("agent"),
        row.getString("tool"),
        row.getString("user_id"),
        row.getString("input"),
        row.getString("output"),
        row.getString("status"),
        row.getLong("duration_ms"),
        Instant.ofEpochMilli(row.getLong("created_at")));
  }
}
