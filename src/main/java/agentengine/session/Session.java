package agentengine.session;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A conversation between one owner and the agent of a schema, or, with a parent, between an agent
 * and one of its sub-agents.
 */
public record Session(
    String id,
    @Nullable String parentId,
    String schema,
    String agent,
    String owner,
    SessionStatus status,
    int turnCount,
    int messageCount,
    Instant createdAt) {}
