package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.error.EngineException;
import agentengine.model.ModelRecord;
import agentengine.model.ProviderKind;
import agentengine.secret.Secret;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Which model a turn calls whose request brings one. */
class ModelOverrideTest {
  private static final Secret KEY = new Secret("key-of-the-caller");

  @Test
  void what_the_request_leaves_open_is_the_agents_own_when_both_are_of_one_type() {
    ModelRecord own = own(ProviderKind.OPENAI_COMPATIBLE, "http://127.0.0.1:1/v1");

    ModelRecord used = override(ProviderKind.OPENAI_COMPATIBLE, null).insteadOf(own);

    assertThat(used.kind()).isEqualTo(ProviderKind.OPENAI_COMPATIBLE);
    assertThat(used.baseUrl()).isEqualTo("http://127.0.0.1:1/v1");
    assertThat(used.modelName()).isEqualTo("own-model");
    assertThat(used.apiKey()).isEqualTo(KEY);
  }

  @Test
  void another_type_is_called_at_its_own_address() {
    ModelRecord own = own(ProviderKind.OPENAI_COMPATIBLE, "http://127.0.0.1:1/v1");

    ModelRecord used = override(ProviderKind.OPENROUTER, "large").insteadOf(own);

    assertThat(used.kind()).isEqualTo(ProviderKind.OPENROUTER);
    assertThat(used.baseUrl()).isEqualTo(ProviderKind.OPENROUTER.defaultBaseUrl());
    assertThat(used.modelName()).isEqualTo("large");
    assertThat(used.apiKey()).isEqualTo(KEY);
  }

  @Test
  void the_record_has_the_name_of_the_agents_own_and_is_known_as_brought() {
    ModelRecord own = own(ProviderKind.OLLAMA, null);

    ModelRecord used = override(ProviderKind.XAI, "made-up-by-a-client").insteadOf(own);

    assertThat(used.name()).isEqualTo(own.name());
    assertThat(used.cameWithRequest()).isTrue();
    assertThat(own.cameWithRequest()).isFalse();
  }

  @Test
  void another_type_without_a_name_for_the_model_is_refused() {
    ModelRecord own = own(ProviderKind.OLLAMA, null);

    assertThatThrownBy(() -> override(ProviderKind.MISTRAL, null).insteadOf(own))
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("X-Model-Name: is required");
  }

  @ParameterizedTest
  @EnumSource(names = {"OPENAI_COMPATIBLE", "AZURE_OPENAI"})
  void a_type_without_an_address_of_its_own_is_refused_beside_another(ProviderKind kind) {
    ModelRecord own = own(ProviderKind.OLLAMA, "http://127.0.0.1:1");

    assertThatThrownBy(() -> override(kind, "large").insteadOf(own))
        .isInstanceOf(EngineException.class)
        .hasMessageStartingWith("X-Model-Provider: '" + kind.wireName() + "'");
  }

  @Test
  void neither_the_override_nor_its_record_shows_the_key() {
    ModelOverride override = override(ProviderKind.OLLAMA, null);

    assertThat(override.toString()).doesNotContain(KEY.reveal());
    assertThat(override.insteadOf(own(ProviderKind.OLLAMA, null)).toString())
        .doesNotContain(KEY.reveal());
  }

  private static ModelOverride override(ProviderKind kind, @Nullable String modelName) {
    return new ModelOverride(kind, KEY, modelName);
  }

  private static ModelRecord own(ProviderKind kind, @Nullable String baseUrl) {
    return new ModelRecord(
        7, "own", kind, "own-model", baseUrl, new Secret("key-of-the-model"), Instant.EPOCH);
  }
}
