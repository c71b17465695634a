package agentengine.model;

/**
 * A model in the catalogue.
 *
 * @param provider the id of its {@link RegistryProvider}
 * @param tier 1 for a provider's strongest, 2 for balanced, 3 for small and cheap
 * @param contextWindow in tokens, prompt and answer together
 * @param maxOutput in tokens
 * @param pricingInput in USD for a million tokens
 * @param pricingOutput in USD for a million tokens
 */
public record RegistryModel(
    String id,
    String displayName,
    String provider,
    int tier,
    int contextWindow,
    int maxOutput,
    boolean supportsTools,
    boolean supportsVision,
    double pricingInput,
    double pricingOutput,
    String description) {

  public static final int STRONGEST_TIER = 1;
  public static final int SMALLEST_TIER = 3;
}
