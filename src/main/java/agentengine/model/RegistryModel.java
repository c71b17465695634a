package agentengine.model;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A model in the catalogue.
 *
 * @param provider the id of its {@link RegistryProvider}
 * @param tier 1 for a provider's strongest, 2 for balanced, 3 for small and cheap
 * @param contextWindow in tokens, prompt and answer together
 * @param maxOutput in tokens
 * @param pricingInput in USD for a million tokens
 * @param pricingOutput in USD for a million tokens
 * @param pricingCachedInput in USD for a million tokens that the provider had in its cache; null
 *     where it is not known
 * @param thinking how the model is asked to think; null where nothing is to be asked
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
    @Nullable Double pricingCachedInput,
    @Nullable Thinking thinking,
    String description) {

  /** The ways in which a model is asked to show its thinking. */
  public enum Thinking {
    /** The model decides itself how long it thinks. */
    ADAPTIVE,
    /** The caller says how many tokens may go into thinking. */
    BUDGET,
    /** The model thinks anyway, and shows it when asked. */
    INCLUDE;

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public static final int STRONGEST_TIER = 1;
  public static final int SMALLEST_TIER = 3;
}
