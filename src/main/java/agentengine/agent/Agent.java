package agentengine.agent;

import java.time.Instant;

/** An agent in the store. */
public record Agent(AgentSpec spec, Instant createdAt, Instant updatedAt) {}
