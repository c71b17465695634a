package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The file of the registry: whether its entries can be true. */
class ModelRegistryTest {
  private static final Comparator<RegistryModel> ORDER =
      Comparator.comparing(RegistryModel::provider)
          .thenComparingInt(RegistryModel::tier)
          .thenComparing(RegistryModel::id);

  private final ModelRegistry registry = new ModelRegistry();
  private final List<RegistryModel> models =
      registry.models(new ModelRegistry.Filter(null, null, null));

  @Test
  void there_are_many_models_sorted_by_provider_tier_and_id() {
    assertThat(models).hasSizeGreaterThanOrEqualTo(60).isSortedAccordingTo(ORDER);
  }

  @Test
  void no_model_is_there_twice() {
    assertThat(models.stream().map(model -> model.provider() + " " + model.id()))
        .doesNotHaveDuplicates();
  }

  @Test
  void every_number_is_possible() {
    for (RegistryModel model : models) {
      assertThat(model.tier()).as(model.id()).isBetween(1, 3);
      assertThat(model.contextWindow()).as(model.id()).isBetween(4_096, 10_000_000);
      assertThat(model.maxOutput()).as(model.id()).isBetween(4_096, model.contextWindow());
      assertThat(model.pricingInput()).as(model.id()).isBetween(0.0, 100.0);
      assertThat(model.pricingOutput())
          .as(model.id())
          .isBetween(model.pricingInput(), 10 * model.pricingInput());
    }
  }

  @Test
  void what_runs_on_your_own_machine_costs_nothing() {
    assertThat(models)
        .filteredOn(model -> model.provider().equals("ollama"))
        .isNotEmpty()
        .allMatch(model -> model.pricingInput() == 0 && model.pricingOutput() == 0);
  }

  @Test
  void every_kind_of_provider_is_there_once_and_each_has_models() {
    List<RegistryProvider> providers = registry.providers();

    assertThat(providers)
        .extracting(RegistryProvider::kind)
        .containsExactlyInAnyOrder(ProviderKind.values());
    assertThat(providers).extracting(RegistryProvider::id).isSorted().doesNotHaveDuplicates();
    assertThat(models.stream().map(RegistryModel::provider).distinct())
        .containsExactlyElementsOf(providers.stream().map(RegistryProvider::id).toList());
  }

  @Test
  void a_provider_that_has_an_address_of_its_own_has_the_same_one_in_a_model_record() {
    Map<ProviderKind, RegistryProvider> byKind =
        registry.providers().stream()
            .collect(Collectors.toMap(RegistryProvider::kind, provider -> provider));

    Arrays.stream(ProviderKind.values())
        .filter(kind -> kind != ProviderKind.OPENAI_COMPATIBLE)
        .forEach(
            kind ->
                assertThat(byKind.get(kind))
                    .returns(kind.wireName(), RegistryProvider::id)
                    .returns(kind.defaultBaseUrl(), RegistryProvider::defaultBaseUrl));
    assertThat(byKind.get(ProviderKind.OPENAI_COMPATIBLE))
        .returns("openai", RegistryProvider::id)
        .returns("https://api.openai.com/v1", RegistryProvider::defaultBaseUrl);
  }

  @Test
  void every_website_is_one_and_only_the_local_provider_needs_no_key() {
    for (RegistryProvider provider : registry.providers()) {
      assertThat(URI.create(provider.website())).hasScheme("https");
      assertThat(provider.auth())
          .as(provider.id())
          .isEqualTo(provider.kind() == ProviderKind.OLLAMA ? "none" : "api_key");
    }
  }
}
