package agentengine.session;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.db.Database;
import agentengine.json.Json;
import agentengine.model.Carry;
import agentengine.model.ModelAnswer;
import agentengine.model.ModelRecord;
import agentengine.model.ProviderKind;
import agentengine.model.Served;
import agentengine.model.ToolRequest;
import agentengine.testing.TestDatabases;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What the store keeps of the model that wrote a message. */
@ParameterizedClass
@EnumSource
class OriginTest {
  private static final String SESSION = "s";
  private static final ModelAnswer.Usage USAGE = new ModelAnswer.Usage(100, 20, 50, 30, 10, false);
  private static final Carry CARRY =
      new Carry(
          ProviderKind.ANTHROPIC,
          "claude-opus-5",
          Json.parse(
              """
              [{"type": "thinking", "thinking": "ä € 𝄞 \\u0000 '\\"", "signature": "c2lnbmVk"}]
              """));

  private final TestDatabases.Fresh fresh;
  private final Database db;
  private final Conversations conversations;

  OriginTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    db = fresh.open();
    conversations = new Conversations(db);
    Session session =
        new Session(SESSION, null, "help", "helper", "me", SessionStatus.IDLE, 1, 0, Instant.EPOCH);
    db.write(
        handle -> {
          new Sessions(db).insert(handle, session);
          return null;
        });
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void what_no_database_takes_does_not_keep_a_message_from_being_stored() {
    Carry broken = new Carry(ProviderKind.OLLAMA, "m", Json.parse("\"half \\ud83d\""));
    store(List.of(TestMessages.from(1, new Origin("main", USAGE, null, broken))));

    Message back = conversations.tail(SESSION, 1, 1000).getFirst();
    assertThat(back.carry())
        .isEqualTo(new Carry(ProviderKind.OLLAMA, "m", Json.text("half \uFFFD")));
  }

  @Test
  void a_message_comes_back_with_all_that_is_known_of_its_origin() {
    List<Message> messages =
        List.of(
            TestMessages.user(1, "Question", 3),
            TestMessages.from(2, new Origin("main", USAGE, 123_456_789_012L, CARRY)),
            TestMessages.result(3, "a", 3),
            TestMessages.from(4, new Origin("spare", ModelAnswer.Usage.of(7, 1), null, null)),
            TestMessages.from(
                5, new Origin("main", new ModelAnswer.Usage(1, 2, 0, 0, 0, true), 0L, null)));
    store(messages);

    assertThat(conversations.tail(SESSION, 5, 1000)).isEqualTo(messages);
  }

  @Test
  void thinking_is_kept_only_with_the_calls_whose_results_it_comes_back_with() {
    ModelRecord model =
        new ModelRecord(
            1, "main", ProviderKind.ANTHROPIC, "claude-opus-5", null, null, Instant.EPOCH);
    List<ToolRequest> calls = List.of(new ToolRequest("a", "look", "{}"));

    assertThat(Origin.of(new Served(model, new ModelAnswer("", calls, USAGE, CARRY)), 5L))
        .isEqualTo(new Origin("main", USAGE, 5L, CARRY));
    assertThat(Origin.of(new Served(model, new ModelAnswer("Hi", List.of(), USAGE, CARRY)), null))
        .isEqualTo(new Origin("main", USAGE, null, null));
  }

  @Test
  void a_conversation_that_is_kept_for_its_next_turn_keeps_no_thinking() {
    Origin origin = new Origin("main", USAGE, 5L, CARRY);
    List<Message> messages =
        List.of(TestMessages.user(1, "Question", 3), TestMessages.from(2, origin));

    conversations.keep(SESSION, messages, 1000);

    assertThat(conversations.tail(SESSION, 2, 1000))
        .containsExactly(messages.getFirst(), TestMessages.from(2, origin.withoutCarry()));
  }

  private void store(List<Message> messages) {
    db.write(
        handle -> {
          messages.forEach(message -> Messages.insert(handle, SESSION, message));
          return null;
        });
  }
}
