package agentengine.torture;

import agentengine.json.Json;
import agentengine.testing.process.ServerEvent;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One message and all that its client has seen of its turn, through however many connections. */
final class Turn {
  private final Plan plan;
  private final ObjectNode body;
  private final boolean streamed;
  private final List<ServerEvent> durable = new ArrayList<>();
  private final StringBuilder text = new StringBuilder();
  private final Set<String> answeredGates = new LinkedHashSet<>();
  private @Nullable String sessionId;
  private @Nullable String lastEventId;
  private @Nullable JsonNode wholeAnswer;
  private int breaks;
  private boolean abandoned;

  Turn(Plan plan, @Nullable String sessionId, boolean streamed) {
    this.plan = plan;
    this.sessionId = sessionId;
    this.streamed = streamed;
    this.body = Json.object().put("message", plan.message());
    if (sessionId != null) {
      body.put("session_id", sessionId);
    }
    if (!streamed) {
      body.put("stream", false);
    }
  }

  Plan plan() {
    return plan;
  }

  /** The request, the same at every attempt. */
  ObjectNode body() {
    return body;
  }

  /** The key under which it is sent, however often. */
  String idempotencyKey() {
    return plan.name();
  }

  boolean isStreamed() {
    return streamed;
  }

  @Nullable String sessionId() {
    return sessionId;
  }

  void accepted(String session) {
    sessionId = session;
  }

  /** The last event of all, which a client names when it comes back. */
  @Nullable String lastEventId() {
    return lastEventId;
  }

  void saw(ServerEvent event) {
    lastEventId = event.id();
    if (event.isDurable()) {
      durable.add(event);
    } else if (event.name().equals("message_delta")) {
      text.append(event.data().path("content").asText());
    }
  }

  List<ServerEvent> durable() {
    return durable;
  }

  /** All text pieces that came, those of an attempt that broke off included. */
  String streamedText() {
    return text.toString();
  }

  @Nullable JsonNode wholeAnswer() {
    return wholeAnswer;
  }

  void answeredWhole(JsonNode answer) {
    wholeAnswer = answer;
  }

  Set<String> answeredGates() {
    return answeredGates;
  }

  void broke() {
    breaks++;
  }

  int breaks() {
    return breaks;
  }

  /** Gives up on it: something is wrong that was noted. */
  void abandon() {
    abandoned = true;
  }

  boolean isAbandoned() {
    return abandoned;
  }

  boolean hasEnded() {
    return !durable.isEmpty() && durable.getLast().isEnd();
  }

  /** The text of its last message, or an empty one. */
  String answer() {
    String answer = "";
    for (ServerEvent event : durable) {
      if (event.name().equals("message")) {
        answer = event.data().path("content").asText();
      }
    }
    return answer;
  }

  @Override
  public String toString() {
    return "turn " + plan.name() + " of session " + sessionId;
  }
}
