package agentengine.error;

/** What is wrong with one field of a request or of the configuration document. */
public record FieldError(String field, String message) {}
