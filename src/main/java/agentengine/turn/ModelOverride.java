package agentengine.turn;

import agentengine.error.EngineException;
import agentengine.model.ModelRecord;
import agentengine.model.ProviderKind;
import agentengine.secret.Secret;
import org.jspecify.annotations.Nullable;

/** The provider and the key that a request brings for its turn, and the model if it names one. */
public record ModelOverride(ProviderKind kind, Secret apiKey, @Nullable String modelName) {
  public static final String PROVIDER_HEADER = "X-Model-Provider";
  public static final String KEY_HEADER = "X-Model-API-Key";
  public static final String NAME_HEADER = "X-Model-Name";

  /**
   * The model to call instead of the agent's own. What the request leaves open is the own one's if
   * both are of one kind. The record keeps the own one's name, which is what metrics show.
   */
  ModelRecord insteadOf(ModelRecord own) {
    boolean sameKind = own.kind() == kind;
    if (!sameKind && kind.defaultBaseUrl() == null) {
      throw EngineException.invalid(
          PROVIDER_HEADER,
          "'"
              + kind.wireName()
              + "' has no address of its own, and the agent's model, which is of another type,"
              + " does not tell one; name another provider, or use an agent with a model of that"
              + " type");
    }
    return new ModelRecord(
        ModelRecord.NOT_STORED,
        own.name(),
        kind,
        modelName == null ? nameOf(own, sameKind) : modelName,
        sameKind ? own.declaredBaseUrl() : null,
        apiKey,
        own.createdAt());
  }

  private static String nameOf(ModelRecord own, boolean sameKind) {
    if (!sameKind) {
      throw EngineException.invalid(
          NAME_HEADER,
          "is required here, because the agent's own model is of another type than "
              + PROVIDER_HEADER
              + " says");
    }
    return own.modelName();
  }
}
