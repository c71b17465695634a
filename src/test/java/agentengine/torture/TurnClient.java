package agentengine.torture;

import agentengine.testing.process.EngineHttp;
import agentengine.testing.process.ServerEvent;
import agentengine.testing.process.ServerEvents;
import agentengine.turn.EventId;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Sends one message and follows its turn to the end, over every broken connection. */
final class TurnClient {
  private static final long PAUSE_MILLIS = 25;

  private final Stage stage;
  private final Turn turn;
  private final Random random;
  private final GateClient gates;
  private boolean counted;

  TurnClient(Stage stage, Turn turn, Random random) {
    this.stage = stage;
    this.turn = turn;
    this.random = random;
    this.gates = new GateClient(stage, turn, random);
  }

  void run() throws InterruptedException {
    while (!turn.hasEnded() && !turn.isAbandoned()) {
      if (!stage.life().awaitReady() || stage.life().isOverdue()) {
        giveUp("did not end");
        return;
      }
      try {
        connect();
      } catch (IOException _) {
        turn.broke();
        Moments.pass(PAUSE_MILLIS);
      }
    }
  }

  /** One connection, to its end. */
  private void connect() throws IOException, InterruptedException {
    boolean unanswered = !turn.isStreamed() && turn.wholeAnswer() == null;
    if (!counted || unanswered || (turn.isStreamed() && random.nextInt(4) == 0)) {
      post();
    } else {
      attach();
    }
  }

  private void post() throws IOException, InterruptedException {
    if (turn.breaks() > 0) {
      stage.findings().count(Count.POSTS_REPEATED);
    }
    try (EngineHttp.Response response =
        stage
            .http()
            .send(
                "POST",
                "/schemas/office/chat",
                turn.body(),
                Map.of("Idempotency-Key", turn.idempotencyKey()))) {
      String session = response.sessionId();
      if (session == null
          || response.status() == 503
          || (response.status() != 200 && turn.isStreamed())) {
        refused(response);
        return;
      }
      accepted(session);
      if (turn.isStreamed()) {
        follow(response.events(), true);
      } else {
        turn.answeredWhole(response.json());
      }
    }
  }

  private void refused(EngineHttp.Response response) throws IOException {
    if (response.status() == 503) {
      throw new IOException("the engine is not ready to take it");
    }
    giveUp("was refused with " + response.status() + " " + response.text());
  }

  private void accepted(String session) {
    String known = turn.sessionId();
    if (known != null && !known.equals(session)) {
      giveUp("was sent again with the same Idempotency-Key and landed in session " + session);
      return;
    }
    turn.accepted(session);
    if (!counted) {
      counted = true;
      stage.findings().count(Count.MESSAGES_ACCEPTED);
      stage.moments().now(Moment.MESSAGE_ACCEPTED);
    }
  }

  private void attach() throws IOException, InterruptedException {
    String last = turn.lastEventId();
    if (last != null) {
      stage.findings().count(Count.REATTACHMENTS);
    }
    gates.checkThatAnswersAreKept();
    String path = "/sessions/" + turn.sessionId() + "/stream";
    try (EngineHttp.Response response =
        stage
            .http()
            .send("GET", path, null, last == null ? Map.of() : Map.of("Last-Event-ID", last))) {
      if (response.status() == 200) {
        follow(response.events(), false);
      } else {
        refused(response);
      }
    }
  }

  /**
   * Reads a stream to its end.
   *
   * @param fromTheStart whether what was seen before is told again
   */
  private void follow(ServerEvents events, boolean fromTheStart)
      throws IOException, InterruptedException {
    Map<String, ServerEvent> known = new HashMap<>();
    turn.durable().forEach(event -> known.put(event.id(), event));
    @Nullable EventId before = EventId.parse(turn.lastEventId()).orElse(null);
    for (ServerEvent event = events.next(); event != null; event = events.next()) {
      EventId id = EventId.parse(event.id()).orElse(null);
      if (id == null) {
        giveUp("has an event " + event.name() + " whose id is '" + event.id() + "'");
        return;
      }
      if (before != null && id.compareTo(before) <= 0) {
        toldBefore(event, known.get(event.id()), fromTheStart);
      } else {
        turn.saw(event);
        act(event);
      }
      if (turn.hasEnded() || turn.isAbandoned()) {
        return;
      }
    }
    throw new IOException("the stream ended before the turn");
  }

  private void toldBefore(ServerEvent event, @Nullable ServerEvent first, boolean fromTheStart) {
    if (!event.isDurable()) {
      return;
    }
    if (!fromTheStart) {
      giveUp("was told " + event.name() + " " + event.id() + " again behind its Last-Event-ID");
    } else if (!Objects.equals(first, event)) {
      giveUp("was told " + event + " where it had been told " + first);
    }
  }

  private void act(ServerEvent event) throws InterruptedException {
    switch (event.name()) {
      case "message_delta" -> stage.moments().now(Moment.TEXT_STREAMED);
      case "tool_result" -> stage.moments().now(Moment.RESULT_TOLD);
      case "confirmation" -> gates.answer(event);
      default -> {}
    }
  }

  private void giveUp(String why) {
    stage.findings().violation(turn + " " + why);
    turn.abandon();
  }
}
