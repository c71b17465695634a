package agentengine.model;

import static agentengine.model.GeminiDialect.call;
import static agentengine.model.GeminiDialect.finish;
import static agentengine.model.GeminiDialect.parts;
import static agentengine.model.GeminiDialect.signedCall;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Google's models signed goes back on the part it came with. */
class GeminiSignatureTest {
  private static final GeminiDialect GEMINI = new GeminiDialect();
  private static final String SKIP = "skip_thought_signature_validator";

  private static String answer(String... events) {
    return FakeServer.ok(GEMINI.contentType()) + String.join("", events);
  }

  @Test
  void a_signature_comes_back_on_the_call_it_came_with() {
    String first = answer(parts(signedCall(Talk.OSLO, "c2lnbmVk")), finish("STOP"));
    try (FakeProvider provider =
        FakeProvider.serving(GEMINI, "gemini-3.5-flash", first, GEMINI.saying("Sun."))) {
      provider.askTwice("sunny").good();

      assertThat(provider.body().path("contents").findValuesAsText("role"))
          .containsExactly("user", "model", "user");
      assertThat(provider.body().at("/contents/1/parts"))
          .isEqualTo(
              Json.parse(
                  """
                  [{"functionCall":{"name":"weather","args":{"city":"Oslo"}},
                  "thoughtSignature":"c2lnbmVk"}]"""));
    }
  }

  @Test
  void of_calls_side_by_side_only_the_one_that_was_signed_comes_back_signed() {
    String first =
        answer(
            parts(signedCall(Talk.OSLO, "c2lnbmVk"), call(Talk.ROME)),
            parts(call(Talk.LIMA)),
            finish("STOP"));
    try (FakeProvider provider =
        FakeProvider.serving(GEMINI, "gemini-3.5-flash", first, GEMINI.saying("Sun."))) {
      provider.askTwice("sunny", "rainy", "foggy").good();

      JsonNode calls = provider.body().at("/contents/1/parts");
      assertThat(calls.findValuesAsText("city")).containsExactly("Oslo", "Rome", "Lima");
      assertThat(calls.path(0).path("thoughtSignature").textValue()).isEqualTo("c2lnbmVk");
      assertThat(calls.path(1).has("thoughtSignature")).isFalse();
      assertThat(calls.path(2).has("thoughtSignature")).isFalse();
      assertThat(provider.body().at("/contents/2/parts")).hasSize(3);
    }
  }

  @Test
  void thoughts_and_text_that_were_signed_come_back_signed_and_in_their_order() {
    String first =
        answer(
            parts("{\"text\":\"Hm.\",\"thought\":true,\"thoughtSignature\":\"b25l\"}"),
            parts("{\"text\":\"Look\"}"),
            parts("{\"text\":\"ing.\",\"thoughtSignature\":\"dHdv\"}"),
            parts(signedCall(Talk.OSLO, "dGhyZWU=")),
            finish("STOP"));
    try (FakeProvider provider =
        FakeProvider.serving(GEMINI, "gemini-3.5-flash", first, GEMINI.saying("Sun."))) {
      provider.askTwice("sunny").good();

      JsonNode parts = provider.body().at("/contents/1/parts");
      assertThat(parts.findValuesAsText("thoughtSignature"))
          .containsExactly("b25l", "dHdv", "dGhyZWU=");
      // A signature stays on its own part: merging a signed with an unsigned one is an error.
      assertThat(signedText(parts, "b25l")).isEqualTo("Hm.");
      assertThat(signedText(parts, "dHdv")).isEqualTo("ing.");
      assertThat(parts.toString()).containsSubsequence("Hm.", "Look", "ing.", "Oslo");
    }
  }

  @Test
  void a_signature_that_comes_alone_at_the_end_is_kept() {
    String first =
        answer(
            parts(call(Talk.OSLO)),
            parts("{\"text\":\"\",\"thoughtSignature\":\"bGFzdA==\"}"),
            finish("STOP"));
    try (FakeProvider provider =
        FakeProvider.serving(GEMINI, "gemini-2.5-flash", first, GEMINI.saying("Sun."))) {
      provider.askTwice("sunny").good();

      assertThat(provider.body().findValuesAsText("thoughtSignature")).containsExactly("bGFzdA==");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"gemini-3.5-flash", "gemini-3-pro-preview", "gemini-flash-latest"})
  void calls_that_another_model_made_get_the_signature_that_stands_for_none(String model) {
    try (FakeProvider provider = FakeProvider.serving(GEMINI, model, GEMINI.saying("Sun."))) {
      provider
          .ask(
              Talk.request(
                  new ChatMessage.User("Weather?"),
                  new ChatMessage.Assistant("", List.of(Talk.OSLO, Talk.ROME)),
                  new ChatMessage.ToolResult("call-1", "weather", "sunny"),
                  new ChatMessage.ToolResult("call-2", "weather", "rainy")))
          .good();

      JsonNode calls = provider.body().at("/contents/1/parts");
      assertThat(calls.path(0).path("thoughtSignature").textValue()).isEqualTo(SKIP);
      assertThat(calls.path(1).has("thoughtSignature")).isFalse();
    }
  }

  @Test
  void earlier_models_want_no_signature_in_its_place() {
    try (FakeProvider provider =
        FakeProvider.serving(GEMINI, "gemini-2.5-flash", GEMINI.saying("Sun."))) {
      provider.ask(Talk.whole()).good();

      assertThat(provider.body().findValue("thoughtSignature")).isNull();
    }
  }

  private static String signedText(JsonNode parts, String signature) {
    for (JsonNode part : parts) {
      if (part.path("thoughtSignature").asText().equals(signature)) {
        return part.path("text").asText();
      }
    }
    throw new AssertionError("no part is signed " + signature);
  }
}
