package agentengine.model;

/** An answer, and the model that gave it. */
public record Served(ModelRecord by, ModelAnswer answer) {}
