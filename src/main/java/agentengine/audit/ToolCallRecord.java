package agentengine.audit;

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
    Instant createdAt) {}
