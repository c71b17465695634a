package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What Mistral makes of chat completions. */
class MistralTest {
  private static final Dialect MISTRAL = Dialect.of(ProviderKind.MISTRAL);

  @Test
  void it_gets_ids_of_nine_letters_and_digits() {
    ToolRequest one = new ToolRequest("call_0fypS1hVXq-long-and-strange", "weather", "{}");
    ToolRequest other = new ToolRequest("call_0fypS1hVXq-long-and-stranger", "weather", "{}");
    ToolRequest own = new ToolRequest("D681PevKs", "weather", "{}");
    try (FakeProvider provider = FakeProvider.answering(MISTRAL, MISTRAL.saying("Hi"))) {
      provider
          .ask(
              Talk.request(
                  new ChatMessage.User("Weather?"),
                  new ChatMessage.Assistant("", List.of(one, other, own)),
                  new ChatMessage.ToolResult(one.callId(), "weather", "1"),
                  new ChatMessage.ToolResult(other.callId(), "weather", "2"),
                  new ChatMessage.ToolResult(own.callId(), "weather", "3")))
          .good();

      JsonNode messages = provider.body().path("messages");
      List<String> asked = messages.path(2).path("tool_calls").findValuesAsText("id");
      assertThat(asked)
          .hasSize(3)
          .doesNotHaveDuplicates()
          .allSatisfy(id -> assertThat(id).matches("[a-zA-Z0-9]{9}"));
      assertThat(messages.findValuesAsText("tool_call_id")).isEqualTo(asked);
      assertThat(messages.findValuesAsText("content")).endsWith("1", "2", "3");
    }
  }

  @Test
  void it_writes_thoughts_and_text_as_one_list() {
    String both =
        OpenAiDialect.delta(
            """
            {"content":[{"type":"thinking","thinking":[{"type":"text","text":"Let me"},\
            {"type":"text","text":" see."}]},{"type":"text","text":"Yes"}]}""");
    try (FakeProvider provider =
        FakeProvider.answering(
            MISTRAL,
            FakeServer.ok(MISTRAL.contentType())
                + MISTRAL.begun()
                + both
                + OpenAiDialect.delta("{\"content\":\", indeed\"}")
                + MISTRAL.end(false))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(String.join("|", outcome.heard()))
          .startsWith("thinking Let me")
          .contains(" see.|text Yes|text , indeed");
      assertThat(outcome.good().text()).isEqualTo("Yes, indeed");
    }
  }

  @Test
  void it_may_end_with_the_calls_themselves() {
    String chunk =
        Dialect.sse(
            """
            {"id":"1","object":"chat.completion.chunk","model":"m","choices":[{"index":0,
            "delta":{"content":"","tool_calls":[
            {"id":"D681PevKs","function":{"name":"weather","arguments":"{\\"city\\":\\"Oslo\\"}"},
            "index":0},
            {"id":"Xq3bTTm1z","function":{"name":"weather","arguments":"{\\"city\\":\\"Rome\\"}"},
            "index":1}]},
            "finish_reason":"tool_calls"}],
            "usage":{"prompt_tokens":100,"completion_tokens":30,"total_tokens":130}}""");
    try (FakeProvider provider =
        FakeProvider.answering(
            MISTRAL,
            FakeServer.ok(MISTRAL.contentType()) + MISTRAL.begun() + chunk + "data: [DONE]\n\n")) {
      ModelAnswer answer = provider.ask().good();

      assertThat(answer.toolRequests())
          .extracting(call -> Json.parse(call.arguments()).path("city").textValue())
          .containsExactly("Oslo", "Rome");
      assertThat(answer.usage()).isEqualTo(ModelAnswer.Usage.of(100, 30));
    }
  }
}
