package agentengine.task;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A piece of work that somebody gave to an agent. */
public record Task(
    String id,
    String owner,
    String agent,
    String title,
    String description,
    TaskStatus status,
    @Nullable String sessionId,
    @Nullable String result,
    @Nullable String error,
    Instant createdAt,
    @Nullable Instant startedAt,
    @Nullable Instant finishedAt) {}
