package agentengine.agent;

import java.time.Instant;

/** A schema in the store. */
public record Schema(SchemaSpec spec, Instant createdAt) {}
