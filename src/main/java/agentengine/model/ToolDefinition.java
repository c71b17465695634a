package agentengine.model;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** A tool as a model is told of it; the parameters are a JSON Schema of an object. */
public record ToolDefinition(String name, String description, ObjectNode parameters) {}
