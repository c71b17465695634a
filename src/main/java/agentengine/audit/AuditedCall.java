package agentengine.audit;

/** A call in the audit log: its place, what was done, and the hash that seals it. */
public record AuditedCall(long number, ToolCallRecord call, String hash) {}
