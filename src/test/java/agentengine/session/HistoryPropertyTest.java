package agentengine.session;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.model.ChatMessage;
import agentengine.model.ToolRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Whatever a conversation and a budget are, what a model is shown is acceptable to any provider.
 */
class HistoryPropertyTest {
  private static final long FIRST_SEED = 20_261_115;
  private static final int ROUNDS = 20_000;

  @Test
  void no_conversation_and_no_budget_gives_a_history_that_a_provider_refuses() {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++) {
      Random random = new Random(seed);
      List<Message> conversation = conversation(random);
      int budget = random.nextInt(-10, 400);
      try {
        check(conversation, budget, History.of(conversation, budget));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(
            "seed " + seed + ", budget " + budget + ", conversation " + conversation, e);
      }
    }
  }

  /** Anything at all with a user message in it, the impossible included. */
  private static List<Message> conversation(Random random) {
    List<Message> messages = new ArrayList<>();
    int length = random.nextInt(1, 20);
    int certainUser = random.nextInt(length);
    for (int i = 0; i < length; i++) {
      int position = i + 1;
      int size = random.nextInt(0, 60);
      switch (i == certainUser ? 0 : random.nextInt(4)) {
        case 0 -> messages.add(TestMessages.user(position, "user " + position, size));
        case 1 -> messages.add(TestMessages.assistant(position, "text", size));
        case 2 -> messages.add(TestMessages.assistant(position, "", callIds(random), size));
        default -> messages.add(TestMessages.result(position, callId(random), size));
      }
    }
    return messages;
  }

  /** From few ids, so that calls of different messages share some and results fit often. */
  private static String callId(Random random) {
    return "c" + random.nextInt(4);
  }

  private static List<String> callIds(Random random) {
    Set<String> ids = new TreeSet<>();
    for (int i = random.nextInt(1, 4); i > 0; i--) {
      ids.add(callId(random));
    }
    return List.copyOf(ids);
  }

  private static void check(List<Message> conversation, int budget, History history) {
    int newestUser = newestUser(conversation);
    List<Message> kept = history.messages();
    Message newest = conversation.get(newestUser);
    assertThat(kept).as("the newest user message").contains(newest);
    List<Message> others =
        kept.stream().filter(message -> message.position() != newest.position()).toList();
    assertThat(others)
        .as("beside it the newest messages")
        .isEqualTo(
            conversation.stream()
                .filter(message -> message.position() != newest.position())
                .skip(conversation.size() - 1 - others.size())
                .toList());
    if (history.size() > budget) {
      assertThat(others).as("no more than the newest unit").satisfies(HistoryPropertyTest::isAUnit);
    }

    List<ChatMessage> shown = history.forModel();
    assertThat(shown.getFirst()).isInstanceOf(ChatMessage.User.class);
    assertThat(shown).contains(new ChatMessage.User(conversation.get(newestUser).content()));
    Set<String> open = new TreeSet<>();
    ChatMessage before = null;
    for (ChatMessage message : shown) {
      switch (message) {
        case ChatMessage.User user -> {
          assertThat(before == null || before instanceof ChatMessage.Assistant)
              .as("after nothing but an assistant's message: %s", user)
              .isTrue();
          assertThat(open).as("calls without a result").isEmpty();
        }
        case ChatMessage.Assistant(String _, List<ToolRequest> calls, var _) -> {
          assertThat(open).as("calls without a result").isEmpty();
          calls.forEach(call -> open.add(call.callId()));
        }
        case ChatMessage.ToolResult(String callId, String tool, String _) -> {
          assertThat(open.remove(callId)).as("a call for the result %s", callId).isTrue();
          assertThat(tool).isEqualTo("tool-" + callId);
        }
      }
      before = message;
    }
    assertThat(open).as("calls without a result").isEmpty();
  }

  private static void isAUnit(List<? extends Message> messages) {
    assertThat(messages.stream().skip(1)).allMatch(message -> message.role() == Message.Role.TOOL);
  }

  private static int newestUser(List<Message> conversation) {
    int newest = -1;
    for (int i = 0; i < conversation.size(); i++) {
      if (conversation.get(i).role() == Message.Role.USER) {
        newest = i;
      }
    }
    return newest;
  }
}
