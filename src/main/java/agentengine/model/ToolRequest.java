package agentengine.model;

/** A model's wish to call a tool; the arguments are the JSON text it wrote, unchecked. */
public record ToolRequest(String callId, String tool, String arguments) {}
