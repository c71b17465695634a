package agentengine.session;

import java.time.Instant;

/** A conversation between one owner and the agent of a schema. */
public record Session(
    String id,
    String schema,
    String agent,
    String owner,
    SessionStatus status,
    int turnCount,
    int messageCount,
    Instant createdAt) {}
