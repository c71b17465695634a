package agentengine.session;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ConversationsTest {
  private static final String SESSION = "s";
  private static final int LARGE = 1_000_000;

  private final TestDatabases.Fresh fresh;
  private final Database db;
  private final Conversations conversations;

  ConversationsTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    db = fresh.open();
    conversations = new Conversations(db);
    db.write(
        handle -> {
          new Sessions(db)
              .insert(
                  handle,
                  new Session(
                      SESSION,
                      null,
                      "help",
                      "helper",
                      "me",
                      SessionStatus.IDLE,
                      1,
                      0,
                      Instant.ofEpochMilli(0)));
          return null;
        });
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void the_tail_is_what_the_store_holds_whatever_was_in_the_messages() {
    List<Message> messages =
        List.of(
            TestMessages.user(1, "ä € 𝄞 '\"\\ \n", 3),
            TestMessages.assistant(2, "", List.of("a", "b"), 3),
            TestMessages.result(3, "a", 3),
            TestMessages.result(4, "b", 3),
            TestMessages.assistant(5, "Done.", 3));
    store(messages);

    assertThat(conversations.tail(SESSION, 5, LARGE)).isEqualTo(messages);
    assertThat(conversations.tail(SESSION, 5, LARGE))
        .isEqualTo(db.read(handle -> Messages.all(handle, SESSION)));
  }

  @Test
  void the_tail_ends_at_the_position_asked_for() {
    List<Message> messages = store(numbered(1, 5));

    assertThat(conversations.tail(SESSION, 3, LARGE)).isEqualTo(messages.subList(0, 3));
    assertThat(conversations.tail(SESSION, 0, LARGE)).isEmpty();
    assertThat(conversations.tail("nobody", 3, LARGE)).isEmpty();
  }

  @Test
  void a_long_conversation_is_read_only_as_far_as_the_budget_goes() {
    List<Message> messages = store(numbered(1, 1_000));

    List<Message> tail = conversations.tail(SESSION, 1_000, 2_500);

    assertThat(tail).isEqualTo(messages.subList(1_000 - tail.size(), 1_000));
    assertThat(tail.stream().mapToInt(Message::size).sum()).isGreaterThan(2_500);
    assertThat(tail).hasSizeLessThan(600);
    assertThat(conversations.tail(SESSION, 1_000, LARGE)).isEqualTo(messages);
  }

  @Test
  void what_was_kept_is_used_for_the_next_turn() {
    // Not in the store, so that it can only come from memory.
    List<Message> kept = numbered(1, 4);
    conversations.keep(SESSION, kept, 100);

    assertThat(conversations.tail(SESSION, 4, 100)).isEqualTo(kept);
    assertThat(conversations.tail(SESSION, 4, 50)).isEqualTo(kept);
  }

  @Test
  void what_was_kept_is_not_used_when_the_store_has_gone_on() {
    List<Message> messages = store(numbered(1, 6));
    conversations.keep(SESSION, messages.subList(0, 4), LARGE);

    assertThat(conversations.tail(SESSION, 6, LARGE)).isEqualTo(messages);
    assertThat(conversations.tail(SESSION, 5, LARGE)).isEqualTo(messages.subList(0, 5));
    assertThat(conversations.tail(SESSION, 3, LARGE)).isEqualTo(messages.subList(0, 3));
  }

  @Test
  void what_was_kept_for_a_small_budget_is_not_used_for_a_large_one() {
    List<Message> messages = store(numbered(1, 6));
    conversations.keep(SESSION, messages.subList(4, 6), 20);

    assertThat(conversations.tail(SESSION, 6, 21)).isEqualTo(messages);
  }

  @Test
  void what_was_forgotten_is_read_again() {
    List<Message> messages = store(numbered(1, 2));
    conversations.keep(SESSION, numbered(2, 1), LARGE);
    conversations.forget(SESSION);

    assertThat(conversations.tail(SESSION, 2, LARGE)).isEqualTo(messages);
  }

  @Test
  void what_is_kept_does_not_change_with_the_callers_list() {
    List<Message> mine = new ArrayList<>(numbered(1, 2));
    conversations.keep(SESSION, mine, 100);
    mine.clear();

    assertThat(conversations.tail(SESSION, 2, 100)).isEqualTo(numbered(1, 2));
  }

  @Test
  void memory_holds_only_so_much_and_the_longest_unused_goes_first() {
    // A quarter of a million tokens is about a megabyte.
    List<Message> megabyte = List.of(TestMessages.user(1, "long", 250_000));
    for (int i = 0; i < 30; i++) {
      conversations.keep("s" + i, megabyte, LARGE);
    }
    assertThat(conversations.tail("s0", 1, LARGE)).isEqualTo(megabyte);
    for (int i = 30; i < 50; i++) {
      conversations.keep("s" + i, megabyte, LARGE);
    }

    assertThat(conversations.tail("s0", 1, LARGE)).as("used of late").isEqualTo(megabyte);
    assertThat(conversations.tail("s1", 1, LARGE)).as("not used").isEmpty();
    assertThat(conversations.tail("s49", 1, LARGE)).as("the newest").isEqualTo(megabyte);
    long held =
        IntStream.range(0, 50)
            .filter(i -> !conversations.tail("s" + i, 1, LARGE).isEmpty())
            .count();
    assertThat(held).isBetween(20L, 34L);
  }

  @Test
  void one_enormous_conversation_does_not_push_out_all_others() {
    List<Message> small = numbered(1, 2);
    conversations.keep("small", small, LARGE);
    conversations.keep("enormous", List.of(TestMessages.user(1, "x", 8_000_000)), LARGE);

    assertThat(conversations.tail("small", 2, LARGE)).isEqualTo(small);
    assertThat(conversations.tail("enormous", 1, LARGE)).isEmpty();
  }

  private static List<Message> numbered(int first, int count) {
    List<Message> messages = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      messages.add(
          i % 2 == 1
              ? TestMessages.user(i, "text " + i, 10)
              : TestMessages.assistant(i, "text " + i, 10));
    }
    return messages;
  }

  private List<Message> store(List<Message> messages) {
    db.write(
        handle -> {
          messages.forEach(message -> Messages.insert(handle, SESSION, message));
          return null;
        });
    return messages;
  }
}
