package agentengine.torture;

import agentengine.testing.process.EngineHttp;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** A client that has one turn after the other, in new sessions and in those it has. */
final class Chatter implements Runnable {
  private static final int MAX_TURNS_OF_A_SESSION = 8;

  private final Stage stage;
  private final String name;
  private final Random random;
  private final StreamCheck check;
  private final List<Conversation> conversations = new ArrayList<>();
  private int messages;

  Chatter(Stage stage, String name, Random random) {
    this.stage = stage;
    this.name = name;
    this.random = random;
    this.check = new StreamCheck(stage.findings());
  }

  /** To be read when it has ended. */
  List<Conversation> conversations() {
    return conversations;
  }

  @Override
  public void run() {
    try {
      while (!stage.life().isCalm()) {
        have(Pick.oneOf(Scenario.values(), random).plan(random, nextName()));
      }
      have(Scenario.PLAIN.plan(random, nextName()));
    } catch (InterruptedException _) {
      stage.findings().violation("client " + name + " was not done in time");
    } catch (RuntimeException e) {
      stage.findings().violation("client " + name + " failed: " + e);
    }
  }

  private String nextName() {
    messages++;
    return name + "x" + messages;
  }

  private void have(Plan plan) throws InterruptedException {
    Conversation conversation = conversation();
    Turn turn = new Turn(plan, conversation.sessionId(), random.nextInt(4) > 0);
    conversation.add(turn);
    new TurnClient(stage, turn, random).run();
    if (turn.isAbandoned()) {
      return;
    }
    check.check(turn);
    if (random.nextInt(4) == 0 && turn.answeredGates().isEmpty()) {
      sendOnceMore(turn);
    }
  }

  private Conversation conversation() {
    if (!conversations.isEmpty() && random.nextInt(3) > 0) {
      Conversation last = conversations.getLast();
      if (!last.isAbandoned() && last.turns().size() < MAX_TURNS_OF_A_SESSION) {
        return last;
      }
    }
    Conversation fresh = new Conversation();
    conversations.add(fresh);
    return fresh;
  }

  /** A client that did not notice its answer: it must get the same one, and no second turn. */
  private void sendOnceMore(Turn turn) {
    stage.findings().count(Count.POSTS_REPEATED);
    try (EngineHttp.Response response =
        stage
            .http()
            .send(
                "POST",
                "/schemas/office/chat",
                turn.body(),
                Map.of("Idempotency-Key", turn.idempotencyKey()))) {
      boolean same =
          response.status() == 200
              && (turn.isStreamed()
                  ? response.events().durableToTheEnd().equals(turn.durable())
                  : sameAnswer(turn, response.json()));
      stage
          .findings()
          .expect(
              same,
              turn
                  + " was sent again after its end and answered otherwise, with status "
                  + response.status());
    } catch (IOException _) {
      // Killed again. The session will show that there was no second turn.
    }
  }

  private static boolean sameAnswer(Turn turn, JsonNode answer) {
    JsonNode first = turn.wholeAnswer();
    return first != null && first.path("response").equals(answer.path("response"));
  }
}
