package agentengine.torture;

import agentengine.json.Json;
import agentengine.testing.process.EngineHttp;
import agentengine.testing.process.ServerEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;

/** Answers the gates of one turn as its plan says, at once or only after a restart. */
final class GateClient {
  private static final Duration LONGEST_HESITATION = Duration.ofSeconds(8);
  private static final long PAUSE_MILLIS = 25;

  private final Stage stage;
  private final Turn turn;
  private final Random random;

  GateClient(Stage stage, Turn turn, Random random) {
    this.stage = stage;
    this.turn = turn;
    this.random = random;
  }

  /** Returns when the answer has arrived for certain. */
  void answer(ServerEvent confirmation) throws InterruptedException {
    stage.findings().count(Count.GATES_ASKED);
    stage.moments().now(Moment.GATE_ASKED);
    String marker = confirmation.data().path("input").path("marker").asText();
    String callId = confirmation.data().path("call_id").asText();
    Optional<Call> call =
        turn.plan().allCalls().stream().filter(c -> c.marker().equals(marker)).findFirst();
    if (call.isEmpty() || !call.get().gated()) {
      giveUp("was asked to confirm " + confirmation + ", which has no gate");
      return;
    }
    int life = stage.life().lives();
    if (random.nextInt(3) == 0) {
      checkThatItIsShownAsOpen(callId, marker);
    }
    if (random.nextBoolean()) {
      stage.life().awaitLifeAfter(life, LONGEST_HESITATION);
    }
    send(callId, call.get().answer(), life);
  }

  private void send(String callId, String answer, int lifeWhenAsked) throws InterruptedException {
    ObjectNode body = Json.object().put("call_id", callId);
    body.putArray("answers").add(answer);
    boolean repeated = false;
    while (true) {
      if (!stage.life().awaitReady() || stage.life().isOverdue()) {
        giveUp("could not answer its gate " + callId);
        return;
      }
      try (EngineHttp.Response response =
          stage.http().post("/sessions/" + turn.sessionId() + "/respond", body)) {
        answered(callId, response, repeated, lifeWhenAsked);
        return;
      } catch (IOException _) {
        repeated = true;
        stage.findings().count(Count.ANSWERS_REPEATED);
        Moments.pass(PAUSE_MILLIS);
      }
    }
  }

  private void answered(
      String callId, EngineHttp.Response response, boolean repeated, int lifeWhenAsked)
      throws IOException {
    boolean known = response.status() == 409 && repeated;
    if (response.status() != 200 && !known) {
      giveUp("got " + response.status() + " " + response.text() + " for its gate " + callId);
      return;
    }
    turn.answeredGates().add(callId);
    stage.moments().now(Moment.GATE_ANSWERED);
    stage.findings().count(Count.GATES_ANSWERED);
    if (known) {
      stage.findings().count(Count.ANSWERS_KNOWN);
    }
    if (stage.life().lives() > lifeWhenAsked) {
      stage.findings().count(Count.GATES_ANSWERED_LATER);
    }
  }

  private void checkThatItIsShownAsOpen(String callId, String marker) {
    try {
      for (JsonNode gate : pending()) {
        if (gate.path("call_id").asText().equals(callId)) {
          stage
              .findings()
              .expect(
                  gate.path("input").path("marker").asText().equals(marker),
                  turn + " shows other arguments of its gate " + callId + ": " + gate);
          return;
        }
      }
      stage
          .findings()
          .violation(turn + " was asked to confirm " + callId + ", which is not in pending");
    } catch (IOException _) {
      // The engine was killed meanwhile; nothing is known.
    }
  }

  /** What was answered is not asked again. */
  void checkThatAnswersAreKept() throws IOException {
    if (turn.answeredGates().isEmpty()) {
      return;
    }
    for (JsonNode gate : pending()) {
      String callId = gate.path("call_id").asText();
      stage
          .findings()
          .expect(
              !turn.answeredGates().contains(callId),
              turn + " still waits for its gate " + callId + ", which was answered");
    }
  }

  private JsonNode pending() throws IOException {
    try (EngineHttp.Response response = stage.http().get("/sessions/" + turn.sessionId())) {
      JsonNode session = response.json();
      stage
          .findings()
          .expect(
              response.status() == 200,
              turn + " has a session that answers " + response.status() + " " + session);
      return session.path("pending");
    }
  }

  private void giveUp(String why) {
    stage.findings().violation(turn + " " + why);
    turn.abandon();
  }
}
