package agentengine.tool;

import java.time.Instant;

/** A declared tool in the store. */
public record DeclaredTool(ToolSpec spec, Instant createdAt, Instant updatedAt) {}
