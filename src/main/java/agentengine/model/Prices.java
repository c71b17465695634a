package agentengine.model;

import org.jspecify.annotations.Nullable;

/** What a call of a model costs, where the catalogue knows its price. */
public final class Prices {
  /** A price in USD for a million tokens is this many billionths of a USD for one. */
  private static final double NANOS = 1_000;

  /** Who charges for putting a prompt into the cache takes this much of its price. */
  private static final double CACHE_WRITE = 1.25;

  private final ModelRegistry registry;

  public Prices(ModelRegistry registry) {
    this.registry = registry;
  }

  /** The cost in billionths of a USD; null when no price is known. */
  public @Nullable Long cost(ModelRecord model, ModelAnswer.Usage usage) {
    return registry.entryFor(model).map(entry -> cost(entry, usage)).orElse(null);
  }

  private static long cost(RegistryModel entry, ModelAnswer.Usage usage) {
    Double known = entry.pricingCachedInput();
    double cachedPrice = known == null ? entry.pricingInput() : known;
    int fresh =
        Math.max(0, usage.inputTokens() - usage.cachedTokens() - usage.cacheWrittenTokens());
    return Math.round(
        NANOS
            * (fresh * entry.pricingInput()
                + usage.cachedTokens() * cachedPrice
                + usage.cacheWrittenTokens() * entry.pricingInput() * CACHE_WRITE
                + usage.outputTokens() * entry.pricingOutput()));
  }
}
