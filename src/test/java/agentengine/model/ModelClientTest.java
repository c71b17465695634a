package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.simulator.Received;
import agentengine.simulator.Simulator;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class ModelClientTest {
  private static final Simulator SIMULATOR = Simulator.start(0);
  private static final ModelCaller MODEL =
      ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, SIMULATOR.baseUrl());

  @AfterAll
  static void close() {
    MODEL.close();
    SIMULATOR.close();
  }

  @Test
  void text_is_heard_piece_by_piece_and_comes_whole_at_the_end() {
    ModelCaller.Outcome outcome = MODEL.ask("[[say Good morning to you]]");

    assertThat(outcome.heard())
        .containsExactly("text Good", "text  morning", "text  to", "text  you");
    assertThat(outcome.good().text()).isEqualTo("Good morning to you");
    assertThat(outcome.good().toolRequests()).isEmpty();
  }

  @Test
  void thinking_is_heard_apart_from_the_text_and_in_order_with_it() {
    ModelCaller.Outcome outcome =
        MODEL.ask("[[chunk Hm. ]] [[think Let me]] [[chunk Yes]] [[think so]] [[chunk .]]");

    assertThat(outcome.heard())
        .containsExactly(
            "text Hm. ", "thinking Let", "thinking  me", "text Yes", "thinking so", "text .");
    assertThat(outcome.good().text()).isEqualTo("Hm. Yes.");
  }

  @Test
  void characters_of_every_size_arrive_as_they_were_sent() {
    String text = "ä € 𝄞 \\u0000 \"quoted\" \t ʎ";

    assertThat(MODEL.ask("[[chunk " + text + "]]").good().text()).isEqualTo(text);
  }

  @Test
  void tool_calls_in_pieces_are_put_together_in_their_order() {
    ModelAnswer answer =
        MODEL
            .ask(
                "[[say Looking]] [[tool pieces=7 weather {\"city\":\"Oslo\",\"days\":[1,2]}]]"
                    + " [[tool pieces=1 current_time]]")
            .good();

    assertThat(answer.text()).isEqualTo("Looking");
    assertThat(answer.toolRequests())
        .extracting(ToolRequest::tool)
        .containsExactly("weather", "current_time");
    assertThat(answer.toolRequests().getFirst().arguments())
        .isEqualTo("{\"city\":\"Oslo\",\"days\":[1,2]}");
    assertThat(answer.toolRequests().getLast().arguments()).isEqualTo("{}");
    assertThat(answer.toolRequests())
        .extracting(ToolRequest::callId)
        .doesNotHaveDuplicates()
        .allSatisfy(id -> assertThat(id).isNotBlank());
  }

  @Test
  void broken_arguments_of_a_tool_call_are_passed_on_for_the_caller_to_refuse() {
    ModelAnswer answer = MODEL.ask("[[tool check=off weather {\"broken]]").good();

    assertThat(answer.toolRequests())
        .extracting(ToolRequest::arguments)
        .containsExactly("{\"broken");
  }

  @Test
  void every_tool_call_has_an_id_of_its_own_even_if_the_provider_gives_none_or_repeats_one() {
    ModelAnswer none = MODEL.ask("[[tool id=none a {}]] [[tool id=none b {}]]").good();
    ModelAnswer same = MODEL.ask("[[tool id=one a {}]] [[tool id=one b {}]]").good();

    for (ModelAnswer answer : List.of(none, same)) {
      assertThat(answer.toolRequests()).extracting(ToolRequest::tool).containsExactly("a", "b");
      assertThat(answer.toolRequests())
          .extracting(ToolRequest::callId)
          .doesNotHaveDuplicates()
          .allSatisfy(id -> assertThat(id).isNotBlank());
    }
  }

  @Test
  void usage_is_what_the_provider_counted() {
    assertThat(MODEL.ask("[[say Hi]] [[usage 12 5]]").good().usage())
        .isEqualTo(ModelAnswer.Usage.of(12, 5));
  }

  @Test
  void usage_is_estimated_when_the_provider_does_not_count() {
    ModelAnswer.Usage usage = MODEL.ask("[[say Hello there]] [[usage none]]").good().usage();

    assertThat(usage.estimated()).isTrue();
    assertThat(usage.inputTokens()).isPositive();
    assertThat(usage.outputTokens()).isPositive();
    assertThat(usage.total()).isEqualTo(usage.inputTokens() + usage.outputTokens());
  }

  @Test
  void an_empty_answer_is_an_answer_without_text() {
    ModelCaller.Outcome outcome = MODEL.ask("[[empty]]");

    assertThat(outcome.good().text()).isEmpty();
    assertThat(outcome.good().toolRequests()).isEmpty();
    assertThat(outcome.heard()).isEmpty();
  }

  @Test
  void an_answer_that_was_cut_at_its_maximum_length_is_an_answer() {
    assertThat(MODEL.ask("[[say To be contin]] [[finish length]]").good().text())
        .isEqualTo("To be contin");
  }

  @Test
  void keep_alive_comments_are_nothing_to_hear() {
    ModelCaller.Outcome outcome =
        MODEL.ask("[[line : keep-alive]] [[say Hi]] [[line : keep-alive]]");

    assertThat(outcome.heard()).containsExactly("text Hi");
    assertThat(outcome.good().text()).isEqualTo("Hi");
  }

  @Test
  void the_provider_is_sent_the_whole_conversation_and_the_sampling() {
    ToolRequest call = new ToolRequest("call-7", "weather", "{\"city\":\"Oslo\"}");
    String last = "[[say Noted]] the-whole-conversation";
    MODEL
        .ask(
            new ModelRequest(
                "You are terse.",
                List.of(
                    new ChatMessage.User("Weather?"),
                    new ChatMessage.Assistant("", List.of(call)),
                    new ChatMessage.ToolResult("call-7", "weather", "sunny"),
                    new ChatMessage.Assistant("Sun.", List.of()),
                    new ChatMessage.User(last)),
                List.of(),
                new ModelRequest.Sampling(0.5, 0.25, 77)))
        .good();

    JsonNode body = sent("the-whole-conversation").body();
    assertThat(body.path("model").textValue()).isEqualTo("scripted");
    assertThat(body.path("temperature").doubleValue()).isEqualTo(0.5);
    assertThat(body.path("top_p").doubleValue()).isEqualTo(0.25);
    assertThat(body.toString()).contains("77");
    JsonNode messages = body.path("messages");
    assertThat(messages.findValuesAsText("role"))
        .containsExactly("system", "user", "assistant", "tool", "assistant", "user");
    assertThat(messages.path(0).path("content").textValue()).isEqualTo("You are terse.");
    assertThat(messages.path(2).path("tool_calls").path(0).path("id").textValue())
        .isEqualTo("call-7");
    assertThat(Json.parse(messages.at("/2/tool_calls/0/function/arguments").textValue()))
        .isEqualTo(Json.parse("{\"city\":\"Oslo\"}"));
    assertThat(messages.path(3).path("tool_call_id").textValue()).isEqualTo("call-7");
    assertThat(messages.path(3).path("content").textValue()).isEqualTo("sunny");
    assertThat(messages.path(4).path("content").textValue()).isEqualTo("Sun.");
    assertThat(messages.path(5).path("content").textValue()).isEqualTo(last);
  }

  @Test
  void sampling_that_is_not_set_is_left_to_the_provider() {
    MODEL.ask("[[say Fine]] nothing-is-set").good();

    JsonNode body = sent("nothing-is-set").body();
    assertThat(body.has("temperature")).isFalse();
    assertThat(body.has("top_p")).isFalse();
    assertThat(body.has("max_tokens")).isFalse();
    assertThat(body.has("max_completion_tokens")).isFalse();
  }

  @Test
  void three_hundred_calls_at_once_all_succeed() {
    List<ModelCaller.Running> calls =
        IntStream.range(0, 300)
            .mapToObj(i -> MODEL.begin("[[chunk a]] [[delay 200ms]] [[chunk -" + i + "]]"))
            .toList();

    for (int i = 0; i < calls.size(); i++) {
      assertThat(calls.get(i).outcome().good().text()).isEqualTo("a-" + i);
    }
  }

  private static Received sent(String text) {
    return SIMULATOR.requests().stream()
        .filter(request -> request.body().toString().contains(text))
        .findFirst()
        .orElseThrow();
  }
}
