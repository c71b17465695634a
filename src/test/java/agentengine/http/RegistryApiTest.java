package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The catalogue of models, which anybody may read. */
class RegistryApiTest {
  private static final String REGISTRY = "/api/v1/models/registry";

  private final TestEngine engine = TestEngine.shared(TestDatabases.Kind.SQLITE);
  private final ApiClient nobody = engine.anonymous();

  @Test
  void anybody_may_read_the_models_and_finds_them_in_the_same_order_each_time() {
    JsonNode models = nobody.get(REGISTRY).expect(200);

    assertThat(models).hasSizeGreaterThanOrEqualTo(60);
    assertThat(nobody.get(REGISTRY).expect(200)).isEqualTo(models);
  }

  @Test
  void an_entry_says_what_one_needs_to_choose() {
    assertThat(nobody.get(REGISTRY + "?provider=mistral").expect(200))
        .contains(
            Json.parse(
                """
                {"id": "mistral-large-2512", "display_name": "Mistral Large 3", "provider": "mistral",
                 "tier": 1, "context_window": 262144, "max_output": 262144, "supports_tools": true,
                 "supports_vision": true, "pricing_input": 0.5, "pricing_output": 1.5,
                 "description": "Open weights; general purpose."}
                """));
  }

  @Test
  void each_filter_leaves_what_fits_it() {
    assertThat(texts("?provider=anthropic", "provider")).containsOnly("anthropic");
    for (String tier : List.of("1", "2", "3")) {
      assertThat(texts("?tier=" + tier, "tier")).containsOnly(tier);
    }
    assertThat(texts("?supports_tools=true", "supports_tools")).containsOnly("true");
    assertThat(texts("?supports_tools=false", "supports_tools")).containsOnly("false");
  }

  @Test
  void the_tiers_together_are_everything() {
    Set<JsonNode> together = new HashSet<>();
    for (String tier : List.of("1", "2", "3")) {
      nobody.get(REGISTRY + "?tier=" + tier).expect(200).forEach(together::add);
    }

    assertThat(together).hasSize(nobody.get(REGISTRY).expect(200).size());
  }

  @Test
  void of_several_filters_all_must_fit() {
    JsonNode some =
        nobody.get(REGISTRY + "?provider=ollama&tier=3&supports_tools=false").expect(200);

    assertThat(some)
        .isNotEmpty()
        .allMatch(
            model ->
                model.path("provider").asText().equals("ollama")
                    && model.path("tier").asInt() == 3
                    && !model.path("supports_tools").asBoolean());
    assertThat(nobody.get(REGISTRY + "?provider=xai&supports_tools=false").expect(200)).isEmpty();
  }

  @Test
  void a_provider_that_is_not_known_has_no_models() {
    assertThat(nobody.get(REGISTRY + "?provider=nobody").expect(200)).isEmpty();
    assertThat(nobody.get(REGISTRY + "?provider=OpenAI").expect(200)).isEmpty();
  }

  @Test
  void a_tier_or_a_flag_that_is_none_is_refused_by_its_name() {
    for (String tier : List.of("0", "4", "-1", "01", "1.0", "one", "1,2", "%202", "999999999999")) {
      assertRefused("tier", tier);
    }
    for (String flag : List.of("yes", "1", "TRUE", "null", "true%20", "truefalse")) {
      assertRefused("supports_tools", flag);
    }
  }

  private void assertRefused(String parameter, String value) {
    Answer answer = nobody.get(REGISTRY + "?" + parameter + "=" + value);
    assertThat(answer.error(400)).as(value).isEqualTo("invalid_request");
    assertThat(answer.json().path("details").findValuesAsText("field")).containsExactly(parameter);
  }

  @Test
  void the_providers_say_what_a_model_record_of_theirs_needs() {
    JsonNode providers = nobody.get(REGISTRY + "/providers").expect(200);

    assertThat(providers).hasSize(10);
    assertThat(providers)
        .contains(
            Json.parse(
                """
                {"id": "openai", "display_name": "OpenAI", "type": "openai_compatible", "auth": "api_key",
                 "website": "https://openai.com", "default_base_url": "https://api.openai.com/v1"}
                """));
    assertThat(providers)
        .filteredOn(provider -> provider.path("default_base_url").isNull())
        .extracting(provider -> provider.path("id").asText())
        .containsExactly("azure_openai");
  }

  @Test
  void a_model_of_the_catalogue_can_be_registered_as_it_stands_there() {
    ApiClient admin = engine.admin();
    JsonNode provider = nobody.get(REGISTRY + "/providers").expect(200).get(0);
    JsonNode model =
        nobody.get(REGISTRY + "?provider=" + provider.path("id").asText()).expect(200).get(0);

    JsonNode created =
        admin
            .post(
                "/api/v1/models",
                Json.object()
                    .put("name", TestEngine.freshName())
                    .put("type", provider.path("type").asText())
                    .put("model_name", model.path("id").asText()))
            .expect(201);

    assertThat(created.path("base_url")).isEqualTo(provider.path("default_base_url"));
  }

  @Test
  void the_catalogue_is_no_model_record() {
    ApiClient admin = engine.admin();
    assertThat(admin.get(REGISTRY).expect(200).isArray()).isTrue();
    for (String method : List.of("PUT", "DELETE", "POST")) {
      Answer answer = admin.send(method, REGISTRY, null, Map.of());
      assertThat(answer.error(405)).as(method).isEqualTo("method_not_allowed");
      assertThat(answer.header("Allow")).isEqualTo("GET, HEAD, OPTIONS");
    }
    assertThat(admin.post(REGISTRY + "/verify", null).error(404)).isEqualTo("not_found");
  }

  private List<String> texts(String query, String field) {
    return nobody.get(REGISTRY + query).expect(200).findValuesAsText(field);
  }
}
