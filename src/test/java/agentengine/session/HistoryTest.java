package agentengine.session;

import static agentengine.session.TestMessages.assistant;
import static agentengine.session.TestMessages.result;
import static agentengine.session.TestMessages.user;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.model.Carry;
import agentengine.model.ChatMessage;
import agentengine.model.ModelAnswer;
import agentengine.model.ProviderKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final List<Message> CONVERSATION =
      List.of(
          user(1, "one", 10),
          assistant(2, "first", 10),
          user(3, "two", 10),
          assistant(4, "", List.of("a", "b"), 10),
          result(5, "a", 10),
          result(6, "b", 10),
          assistant(7, "second", 10),
          user(8, "three", 10));

  @Test
  void a_conversation_that_fits_is_shown_whole() {
    History history = History.of(CONVERSATION, 80);

    assertThat(history.messages()).isEqualTo(CONVERSATION);
    assertThat(history.size()).isEqualTo(80);
    assertThat(history.forModel()).hasSize(8);
  }

  @Test
  void what_does_not_fit_is_dropped_from_the_oldest_on() {
    assertThat(positions(79)).containsExactly(3, 4, 5, 6, 7, 8);
    assertThat(positions(60)).containsExactly(3, 4, 5, 6, 7, 8);
  }

  @Test
  void an_answer_goes_with_its_question_and_results_with_their_call() {
    // The tool calls would fit, but not the message that they answer.
    assertThat(positions(59)).containsExactly(8);
    assertThat(positions(30)).containsExactly(8);
  }

  @Test
  void what_was_said_last_is_shown_even_if_it_does_not_fit() {
    History history = History.of(CONVERSATION, 0);

    assertThat(history.messages()).extracting(Message::position).containsExactly(8);
    assertThat(history.size()).isEqualTo(10);
  }

  @Test
  void what_a_model_thought_is_shown_to_it_again_only_within_the_turn() {
    Carry old = new Carry(ProviderKind.ANTHROPIC, "m", Json.array().add("old"));
    Carry first = new Carry(ProviderKind.ANTHROPIC, "m", Json.array().add("first"));
    Carry second = new Carry(ProviderKind.ANTHROPIC, "m", Json.array().add("second"));
    List<Message> running =
        List.of(
            user(1, "before", 10),
            thought(2, old),
            result(3, "call-2", 10),
            assistant(4, "answer", 10),
            user(5, "question", 10),
            thought(6, first),
            result(7, "call-6", 10),
            thought(8, second),
            result(9, "call-8", 10));

    assertThat(carries(History.of(running, 1000))).containsExactly(null, null, first, second);
    assertThat(carries(History.of(running, 30))).as("trimmed").containsExactly(second);
  }

  private static Message thought(int position, Carry carry) {
    return TestMessages.from(position, new Origin("main", ModelAnswer.Usage.of(1, 1), null, carry));
  }

  private static List<@Nullable Carry> carries(History history) {
    List<@Nullable Carry> carries = new ArrayList<>();
    for (ChatMessage message : history.forModel()) {
      if (message instanceof ChatMessage.Assistant assistant) {
        carries.add(assistant.carry());
      }
    }
    return carries;
  }

  @Test
  void a_long_turn_keeps_its_question_and_the_newest_of_what_was_done_about_it() {
    List<Message> running =
        List.of(
            user(1, "before", 10),
            assistant(2, "answer", 10),
            user(3, "question", 10),
            assistant(4, "", List.of("a"), 10),
            result(5, "a", 10),
            assistant(6, "", List.of("b", "c"), 10),
            result(7, "b", 10),
            result(8, "c", 10));

    assertThat(History.of(running, 1000).messages()).hasSize(8);
    assertThat(History.of(running, 60).messages())
        .extracting(Message::position)
        .containsExactly(3, 4, 5, 6, 7, 8);
    assertThat(History.of(running, 59).messages())
        .extracting(Message::position)
        .containsExactly(3, 6, 7, 8);
    assertThat(History.of(running, 0).messages())
        .as("the newest unit is there even if it does not fit")
        .extracting(Message::position)
        .containsExactly(3, 6, 7, 8);
  }

  @Test
  void results_come_in_the_order_of_their_calls_whenever_they_came() {
    List<ChatMessage> shown =
        History.of(
                List.of(
                    user(1, "one", 1),
                    assistant(2, "", List.of("a", "b"), 1),
                    result(3, "b", 1),
                    result(4, "a", 1)),
                100)
            .forModel();

    assertThat(shown.subList(2, 4))
        .containsExactly(
            new ChatMessage.ToolResult("a", "tool-a", "result"),
            new ChatMessage.ToolResult("b", "tool-b", "result"));
  }

  @Test
  void a_tail_that_begins_in_the_middle_of_a_turn_is_shown_from_the_next_question_on() {
    assertThat(History.of(CONVERSATION.subList(4, 8), 1000).messages())
        .extracting(Message::position)
        .containsExactly(8);
  }

  @Test
  void a_message_that_got_no_answer_is_followed_by_a_word_about_it() {
    List<ChatMessage> shown =
        History.of(List.of(user(1, "one", 10), user(2, "two", 10)), 100).forModel();

    assertThat(shown).hasSize(3);
    assertThat(shown.get(0)).isEqualTo(new ChatMessage.User("one"));
    assertThat(shown.get(1)).isInstanceOf(ChatMessage.Assistant.class);
    assertThat(shown.get(2)).isEqualTo(new ChatMessage.User("two"));
  }

  @Test
  void results_carry_the_name_of_the_tool_that_was_called() {
    assertThat(History.of(CONVERSATION, 1000).forModel())
        .contains(new ChatMessage.ToolResult("b", "tool-b", "result"));
  }

  @Test
  void a_call_that_never_got_a_result_gets_one_that_says_so() {
    List<ChatMessage> shown =
        History.of(
                List.of(
                    user(1, "one", 1),
                    assistant(2, "", List.of("a", "b"), 1),
                    result(3, "b", 1),
                    user(4, "two", 1)),
                100)
            .forModel();

    assertThat(shown.get(3)).isEqualTo(new ChatMessage.ToolResult("b", "tool-b", "result"));
    assertThat(shown.get(4))
        .as("the assistant speaks before the user does again")
        .isInstanceOf(ChatMessage.Assistant.class);
    assertThat(shown.get(5)).isEqualTo(new ChatMessage.User("two"));
    assertThat(shown.get(2))
        .isInstanceOfSatisfying(
            ChatMessage.ToolResult.class,
            missing -> {
              assertThat(missing.callId()).isEqualTo("a");
              assertThat(missing.output()).startsWith("error:");
            });
  }

  @Test
  void a_result_that_belongs_to_no_call_is_not_shown() {
    List<Message> conversation =
        List.of(
            user(1, "one", 1),
            result(2, "nobody", 1),
            assistant(3, "", List.of("a"), 1),
            result(4, "a", 1),
            result(5, "a", 1),
            result(6, null, 1));

    assertThat(History.of(conversation, 100).forModel())
        .filteredOn(ChatMessage.ToolResult.class::isInstance)
        .hasSize(1);
  }

  private static List<Integer> positions(int budget) {
    return History.of(CONVERSATION, budget).messages().stream().map(Message::position).toList();
  }
}
