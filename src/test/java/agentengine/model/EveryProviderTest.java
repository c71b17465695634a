package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.model.Dialect.Piece;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What is true of every kind of provider, each in its own words. */
@ParameterizedClass
@EnumSource
class EveryProviderTest {
  private final Dialect dialect;

  EveryProviderTest(ProviderKind kind) {
    dialect = Dialect.of(kind);
  }

  @Test
  void text_is_heard_piece_by_piece_and_comes_whole_at_the_end() {
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect, dialect.answer(new Piece.Text("Good"), new Piece.Text(" mörgen\n\"you\"")))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.heard()).containsExactly("text Good", "text  mörgen\n\"you\"");
      assertThat(outcome.good().text()).isEqualTo("Good mörgen\n\"you\"");
      assertThat(outcome.good().toolRequests()).isEmpty();
      assertThat(outcome.leftInterrupted()).isFalse();
    }
  }

  @Test
  void it_is_asked_where_it_answers_and_the_key_goes_into_one_header() {
    try (FakeProvider provider = FakeProvider.answering(dialect, dialect.saying("Hi"))) {
      provider.ask().good();

      assertThat(provider.requests()).hasSize(1);
      assertThat(provider.head()).startsWith("POST " + dialect.target("scripted") + " HTTP/1.1");
      assertThat(provider.head().lines())
          .filteredOn(line -> line.contains(ModelCaller.KEY))
          .singleElement()
          .asString()
          .isEqualToIgnoringCase(dialect.keyHeader());
      assertThat(provider.head()).containsIgnoringCase("Content-Type: application/json");
      assertThat(provider.requests().getFirst().body()).doesNotContain(ModelCaller.KEY);
    }
  }

  @Test
  void a_host_alone_is_asked_under_the_path_of_the_providers_own_address() {
    boolean hasNone = dialect.kind() == ProviderKind.OPENAI_COMPATIBLE;
    try (FakeProvider provider =
        FakeProvider.at(dialect.kind(), "scripted", "", dialect.saying("Hi"))) {
      provider.ask().good();

      String target = hasNone ? "/chat/completions" : dialect.target("scripted");
      assertThat(provider.head()).startsWith("POST " + target + " HTTP/1.1");
    }
  }

  @Test
  void thinking_is_heard_apart_from_the_text() {
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect,
            dialect.answer(
                new Piece.Thinking("Let me"),
                new Piece.Thinking(" see."),
                new Piece.Text("Yes")))) {
      ModelCaller.Outcome outcome = provider.ask();

      assertThat(outcome.heard()).containsExactly("thinking Let me", "thinking  see.", "text Yes");
      assertThat(outcome.good().text()).isEqualTo("Yes");
    }
  }

  @Test
  void one_tool_call_comes_with_its_arguments() {
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect,
            dialect.answer(new Piece.Text("Looking"), new Piece.Calls(List.of(Talk.OSLO))))) {
      ModelAnswer answer = provider.ask().good();

      assertThat(answer.text()).isEqualTo("Looking");
      assertThat(answer.toolRequests()).hasSize(1);
      assertThat(answer.toolRequests().getFirst().tool()).isEqualTo("weather");
      assertThat(city(answer.toolRequests().getFirst())).isEqualTo("Oslo");
    }
  }

  @Test
  void several_tool_calls_are_put_together_in_their_order() {
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect, dialect.answer(new Piece.Calls(List.of(Talk.OSLO, Talk.ROME, Talk.LIMA))))) {
      ModelAnswer answer = provider.ask().good();

      assertThat(answer.text()).isEmpty();
      assertThat(answer.toolRequests())
          .extracting(EveryProviderTest::city)
          .containsExactly("Oslo", "Rome", "Lima");
      assertThat(answer.toolRequests())
          .extracting(ToolRequest::callId)
          .doesNotHaveDuplicates()
          .allSatisfy(id -> assertThat(id).isNotBlank());
    }
  }

  @Test
  void a_call_without_arguments_has_an_empty_object() {
    ToolRequest plain = new ToolRequest("call-1", "weather", "{}");
    try (FakeProvider provider =
        FakeProvider.answering(dialect, dialect.answer(new Piece.Calls(List.of(plain))))) {
      assertThat(provider.ask().good().toolRequests())
          .extracting(ToolRequest::arguments)
          .containsExactly("{}");
    }
  }

  @Test
  void it_is_sent_the_conversation_and_the_tools_in_its_own_form() {
    try (FakeProvider provider = FakeProvider.answering(dialect, dialect.saying("Hi"))) {
      provider.ask(Talk.whole()).good();

      JsonNode sent = Talk.withPlainIds(provider.body());
      Json.parse(dialect.talk())
          .properties()
          .forEach(part -> assertThat(sent.path(part.getKey())).isEqualTo(part.getValue()));
    }
  }

  @Test
  void the_results_of_a_step_answer_the_calls_of_that_step() {
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect,
            dialect.answer(
                new Piece.Thinking("Hm."), new Piece.Calls(List.of(Talk.OSLO, Talk.ROME))),
            dialect.saying("Sun and rain."))) {
      assertThat(provider.askTwice("sunny", "rainy").good().text()).isEqualTo("Sun and rain.");

      String sent = provider.requests().getLast().body();
      assertThat(sent).containsSubsequence("Weather?", "Oslo", "Rome", "sunny", "rainy");
    }
  }

  @Test
  void a_conversation_without_a_system_prompt_or_tools_sends_none() {
    try (FakeProvider provider = FakeProvider.answering(dialect, dialect.saying("Hi"))) {
      provider
          .ask(
              new ModelRequest(
                  "", List.of(new ChatMessage.User("Hello")), List.of(), Talk.NO_SAMPLING))
          .good();

      JsonNode sent = provider.body();
      assertThat(sent.findValuesAsText("role")).containsExactly("user");
      assertThat(sent.has("system")).isFalse();
      assertThat(sent.has("systemInstruction")).isFalse();
      assertThat(sent.path("tools")).isEmpty();
    }
  }

  @Test
  void usage_is_what_the_provider_counted() {
    try (FakeProvider provider =
        FakeProvider.answering(
            dialect, dialect.answer(new Piece.Thinking("Hm."), new Piece.Text("Hi")))) {
      assertThat(provider.ask().good().usage()).isEqualTo(dialect.usage());
    }
  }

  private static String city(ToolRequest call) {
    return Json.parse(call.arguments()).path("city").textValue();
  }
}
