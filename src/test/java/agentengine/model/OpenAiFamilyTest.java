package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.model.Dialect.Piece;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What each of those who speak chat completions makes of them. */
class OpenAiFamilyTest {
  private static final Dialect OPENAI = Dialect.of(ProviderKind.OPENAI_COMPATIBLE);
  private static final Dialect OPENROUTER = Dialect.of(ProviderKind.OPENROUTER);
  private static final Dialect DEEPSEEK = Dialect.of(ProviderKind.DEEPSEEK);
  private static final Dialect XAI = Dialect.of(ProviderKind.XAI);

  private static String answer(Dialect dialect, boolean calls, String... events) {
    return FakeServer.ok(dialect.contentType())
        + dialect.begun()
        + String.join("", events)
        + dialect.end(calls);
  }

  @ParameterizedTest
  @EnumSource(
      value = ProviderKind.class,
      names = {"OPENAI_COMPATIBLE", "OPENROUTER", "DEEPSEEK", "MISTRAL", "XAI", "ZAI"})
  void the_model_and_its_sampling_are_in_the_body(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider = FakeProvider.answering(dialect, dialect.saying("Hi"))) {
      provider.ask(Talk.sampled(new ModelRequest.Sampling(0.5, 0.25, 77))).good();

      JsonNode body = provider.body();
      assertThat(body.path("model").textValue()).isEqualTo("scripted");
      assertThat(body.path("stream").booleanValue()).isTrue();
      assertThat(body.path("temperature").doubleValue()).isEqualTo(0.5);
      assertThat(body.path("top_p").doubleValue()).isEqualTo(0.25);
      assertThat(body.path("max_tokens").intValue()).isEqualTo(77);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ProviderKind.class,
      names = {"OPENAI_COMPATIBLE", "DEEPSEEK", "XAI"})
  void usage_is_asked_for_where_it_only_comes_on_request(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider = FakeProvider.answering(dialect, dialect.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.body().at("/stream_options/include_usage").booleanValue()).isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ProviderKind.class,
      names = {"MISTRAL", "ZAI"})
  void those_who_do_not_know_the_options_of_a_stream_are_not_sent_any(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeProvider provider = FakeProvider.answering(dialect, dialect.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.body().has("stream_options")).isFalse();
    }
  }

  @Test
  void openrouter_gets_the_details_of_its_reasoning_back() {
    String encrypted =
        """
        {"type":"reasoning.encrypted","data":"RW5jcnlwdGVk","id":"rs_1",\
        "format":"openai-responses-v1","index":1}""";
    String first =
        answer(
            OPENROUTER,
            true,
            reasoning("Let me", ""),
            reasoning(" see.", ",\"signature\":\"c2lnbmVk\""),
            OpenAiDialect.delta("{\"content\":\"\",\"reasoning_details\":[" + encrypted + "]}"),
            call(Talk.OSLO, ""));
    try (FakeProvider provider =
        FakeProvider.answering(OPENROUTER, first, OPENROUTER.saying("Sun."))) {
      provider.askTwice("sunny").good();

      JsonNode details = provider.body().at("/messages/2/reasoning_details");
      List<String> texts = new ArrayList<>();
      details.forEach(detail -> texts.add(detail.path("text").asText("")));
      assertThat(String.join("", texts)).isEqualTo("Let me see.");
      assertThat(details.findValuesAsText("signature")).containsExactly("c2lnbmVk");
      assertThat(details.path(details.size() - 1)).isEqualTo(Json.parse(encrypted));
    }
  }

  private static String reasoning(String text, String more) {
    return OpenAiDialect.delta(
        """
        {"content":"","reasoning":"%s","reasoning_details":[{"type":"reasoning.text",\
        "text":"%s","format":"anthropic-claude-v1","index":0%s}]}"""
            .formatted(text, text, more));
  }

  private static String call(ToolRequest call, String more) {
    return OpenAiDialect.delta(
        """
        {"tool_calls":[{"index":0,"id":"%s","type":"function",\
        "function":{"name":"%s","arguments":%s}%s}]}"""
            .formatted(call.callId(), call.tool(), Dialect.quoted(call.arguments()), more));
  }

  @Test
  void openrouter_is_alive_while_it_only_comments() {
    String comment = ": OPENROUTER PROCESSING\n\n";
    try (FakeProvider provider =
        FakeProvider.answering(
            OPENROUTER,
            answer(
                OPENROUTER,
                false,
                comment,
                OpenAiDialect.delta("{\"content\":\"Hi\"}"),
                comment))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.heard()).containsExactly("text Hi");
      assertThat(outcome.good().text()).isEqualTo("Hi");
    }
  }

  @Test
  void openrouter_says_in_a_stream_whether_another_try_may_help() {
    String head = FakeServer.ok(OPENROUTER.contentType()) + OPENROUTER.begun();
    try (FakeProvider refused =
            FakeProvider.answering(OPENROUTER, head + OPENROUTER.errorInStream(403, "flagged"));
        FakeProvider busy =
            FakeProvider.answering(
                OPENROUTER,
                head + OPENROUTER.errorInStream(502, "upstream is down"),
                OPENROUTER.saying("Here"))) {
      assertThat(refused.ask().bad().reason()).contains("flagged");
      assertThat(refused.requests()).hasSize(1);
      assertThat(busy.ask().good().text()).isEqualTo("Here");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = ProviderKind.class,
      names = {"DEEPSEEK", "ZAI"})
  void reasoning_comes_back_with_the_calls_it_led_to(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    String first =
        dialect.answer(
            new Piece.Thinking("Let me"),
            new Piece.Thinking(" see."),
            new Piece.Calls(List.of(Talk.OSLO)));
    try (FakeProvider provider = FakeProvider.answering(dialect, first, dialect.saying("Sun."))) {
      provider.askTwice("sunny").good();

      JsonNode said = provider.body().at("/messages/2");
      assertThat(said.path("reasoning_content").textValue()).isEqualTo("Let me see.");
      assertThat(said.at("/tool_calls/0/id").textValue()).isEqualTo("call-1");
    }
  }

  @Test
  void deepseek_gets_an_empty_reasoning_for_calls_that_it_did_not_make() {
    try (FakeProvider provider = FakeProvider.answering(DEEPSEEK, DEEPSEEK.saying("Sun."))) {
      provider.ask(Talk.whole()).good();

      JsonNode messages = provider.body().path("messages");
      assertThat(messages.at("/2/reasoning_content").asText("missing")).isEmpty();
      assertThat(messages.path(5).has("reasoning_content")).isFalse();
    }
  }

  @Test
  void xai_counts_thinking_apart_and_the_answer_counts_it_in() {
    String usage =
        Dialect.sse(
            """
            {"id":"1","object":"chat.completion.chunk","choices":[],
            "usage":{"prompt_tokens":32,"completion_tokens":9,"total_tokens":135,
            "prompt_tokens_details":{"text_tokens":32,"cached_tokens":6},
            "completion_tokens_details":{"reasoning_tokens":94}}}""");
    String stream =
        FakeServer.ok(XAI.contentType())
            + XAI.begun(new Piece.Text("Hi"))
            + Dialect.sse("{\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}")
            + usage
            + "data: [DONE]\n\n";
    try (FakeProvider provider = FakeProvider.answering(XAI, stream)) {
      assertThat(provider.ask().good().usage())
          .isEqualTo(new ModelAnswer.Usage(32, 103, 6, 0, 94, false));
    }
  }

  @Test
  void what_google_adds_to_a_call_comes_back_with_it() {
    String extra = "{\"google\":{\"thought_signature\":\"c2lnbmVk\"}}";
    String first = answer(OPENAI, true, call(Talk.OSLO, ",\"extra_content\":" + extra));
    try (FakeProvider provider = FakeProvider.answering(OPENAI, first, OPENAI.saying("Sun."))) {
      provider.askTwice("sunny").good();

      assertThat(provider.body().at("/messages/2/tool_calls/0/extra_content"))
          .isEqualTo(Json.parse(extra));
    }
  }

  @Test
  void a_message_that_only_calls_tools_is_accepted_everywhere() {
    String first = OPENAI.answer(new Piece.Calls(List.of(Talk.OSLO, Talk.ROME)));
    try (FakeProvider provider = FakeProvider.answering(OPENAI, first, OPENAI.saying("Sun."))) {
      provider.askTwice("sunny", "rainy").good();

      JsonNode said = provider.body().at("/messages/2");
      // No text is null: some refuse a message without this field, some one with an empty text.
      assertThat(said.path("content").isNull()).isTrue();
      assertThat(said.path("tool_calls")).hasSize(2);
      assertThat(said.has("reasoning_content")).isFalse();
    }
  }

  @Test
  void an_error_that_is_null_is_none() {
    String chunk =
        Dialect.sse(
            """
            {"error":null,"choices":[{"index":0,"delta":{"content":"Hi","tool_calls":null,
            "reasoning_content":null},"finish_reason":null}],"usage":null}""");
    try (FakeProvider provider = FakeProvider.answering(OPENAI, answer(OPENAI, false, chunk))) {
      assertThat(provider.ask().good().text()).isEqualTo("Hi");
    }
  }

  @Test
  void a_base_url_may_end_with_a_slash() {
    try (FakeProvider provider =
        FakeProvider.at(ProviderKind.OPENAI_COMPATIBLE, "scripted", "/v1/", OPENAI.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.head()).startsWith("POST /v1/chat/completions HTTP/1.1");
    }
  }
}
