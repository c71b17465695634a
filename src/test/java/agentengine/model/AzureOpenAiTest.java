package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Azure has several forms of address, and a name of its own for the key and the length. */
class AzureOpenAiTest {
  private static final Dialect AZURE = Dialect.of(ProviderKind.AZURE_OPENAI);

  private static FakeProvider at(String basePath) {
    return FakeProvider.at(ProviderKind.AZURE_OPENAI, "my-gpt", basePath, AZURE.saying("Hi"));
  }

  @ParameterizedTest
  @CsvSource({
    "'', /openai/deployments/my-gpt/chat/completions?api-version=2024-10-21",
    "/, /openai/deployments/my-gpt/chat/completions?api-version=2024-10-21",
    "?api-version=2025-04-01-preview,"
        + " /openai/deployments/my-gpt/chat/completions?api-version=2025-04-01-preview",
    "/openai/v1, /openai/v1/chat/completions",
    "/openai/v1/, /openai/v1/chat/completions"
  })
  void an_address_leads_to_the_deployment(String basePath, String target) {
    try (FakeProvider provider = at(basePath)) {
      provider.ask().good();

      assertThat(provider.head()).startsWith("POST " + target + " HTTP/1.1");
      assertThat(provider.head()).containsIgnoringCase("\napi-key: " + ModelCaller.KEY);
      assertThat(provider.head()).doesNotContainIgnoringCase("\nauthorization:");
    }
  }

  @Test
  void the_newer_address_has_the_name_of_the_deployment_in_the_body() {
    try (FakeProvider provider = at("/openai/v1")) {
      provider.ask().good();

      assertThat(provider.body().path("model").textValue()).isEqualTo("my-gpt");
    }
  }

  @Test
  void the_length_has_the_name_that_thinking_models_insist_on() {
    try (FakeProvider provider = at("")) {
      provider.ask(Talk.sampled(new ModelRequest.Sampling(0.5, 0.25, 77))).good();

      JsonNode body = provider.body();
      assertThat(body.path("max_completion_tokens").intValue()).isEqualTo(77);
      assertThat(body.has("max_tokens")).isFalse();
      assertThat(body.path("temperature").doubleValue()).isEqualTo(0.5);
      assertThat(body.path("top_p").doubleValue()).isEqualTo(0.25);
      assertThat(body.at("/stream_options/include_usage").booleanValue()).isTrue();
    }
  }

  @Test
  void an_answer_that_its_filter_stopped_before_a_word_is_an_error_that_says_so() {
    String filtered =
        Dialect.sse(
            """
            {"choices":[{"index":0,"delta":{},"finish_reason":"content_filter",
            "content_filter_results":{"hate":{"filtered":true,"severity":"high"}}}]}""");
    try (FakeProvider provider =
        FakeProvider.answering(
            AZURE,
            FakeServer.ok(AZURE.contentType()) + AZURE.begun() + filtered + "data: [DONE]\n\n")) {
      ModelException failure = provider.ask().bad();

      assertThat(failure.retriable()).isFalse();
      assertThat(failure.reason()).contains("content filter");
    }
  }

  @Test
  void a_pause_may_be_a_matter_of_milliseconds() {
    try (FakeProvider provider =
        FakeProvider.answering(
            AZURE,
            AZURE.refusal(429, "slowly", "retry-after-ms: 1", "Retry-After: 60"),
            AZURE.saying("Now"))) {
      assertThat(provider.ask().good().text()).isEqualTo("Now");
    }
  }
}
