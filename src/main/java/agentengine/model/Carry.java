package agentengine.model;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a provider wants to be given back, word for word, with the results of the tools it asked
 * for: its thinking and the signatures on it. Only the model that wrote it can read it.
 */
public record Carry(ProviderKind kind, String modelName, JsonNode content) {

  /** Whether a model may be shown this. */
  boolean isFor(ModelRecord model) {
    return kind == model.kind() && modelName.equals(model.modelName());
  }
}
