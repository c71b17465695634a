package agentengine.http;

import agentengine.error.ErrorCode;
import agentengine.json.Json;
import agentengine.turn.LoggedEvent;
import agentengine.turn.TurnEvent;
import agentengine.turn.TurnReader;
import agentengine.turn.Turns;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.helidon.http.Status;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A turn as one JSON body: sent at its end, or as soon as a person is asked something. */
final class WholeAnswer {
  private static final Duration POLL = Duration.ofMinutes(1);
  private static final String AWAITING = "awaiting_confirmation";

  private final String sessionId;
  private final Turns turns;
  private final Map<String, ObjectNode> calls = new LinkedHashMap<>();
  private String response = "";
  private @Nullable TurnEvent end;

  WholeAnswer(String sessionId, Turns turns) {
    this.sessionId = sessionId;
    this.turns = turns;
  }

  void send(Exchange exchange, TurnReader reader) throws InterruptedException {
    while (!reader.isOver()) {
      for (LoggedEvent logged : reader.next(POLL)) {
        take(logged.event());
      }
      if (end instanceof TurnEvent.Failed(ErrorCode code, String message)) {
        exchange.send(Statuses.of(code), ErrorBody.of(code, message, List.of()));
        return;
      }
      if (end instanceof TurnEvent.Done(_, int tokens)) {
        exchange.ok(body(tokens));
        return;
      }
      if (isAwaited()) {
        exchange.ok(body(turns.tokensSoFar(sessionId)));
        return;
      }
    }
    // Only a stop of the engine ends a turn's events without its end.
    exchange.send(
        Status.SERVICE_UNAVAILABLE_503,
        ErrorBody.of(
            ErrorCode.OVERLOADED,
            "the engine is stopping; the turn goes on after its start: read session " + sessionId,
            List.of()));
  }

  private void take(TurnEvent event) {
    switch (event) {
      case TurnEvent.Thinking _, TurnEvent.MessageDelta _ -> {}
      case TurnEvent.MessageComplete(String content) -> response = content;
      case TurnEvent.ConfirmationAsked(String callId, String tool, JsonNode input) ->
          put(callId, tool, input, AWAITING, null, null);
      case TurnEvent.ToolStarted(String callId, _, _) -> calls.remove(callId);
      case TurnEvent.ToolReturned returned ->
          put(
              returned.request().callId(),
              returned.request().tool(),
              SessionJson.input(returned.request()),
              returned.status(),
              returned.output(),
              returned.error());
      case TurnEvent.StructuredOutputShown(String callId, ObjectNode payload) ->
          put(
              callId,
              "show_structured_output",
              payload,
              "completed",
              TextNode.valueOf("shown"),
              null);
      case TurnEvent.Failed _, TurnEvent.Done _ -> end = event;
    }
  }

  private boolean isAwaited() {
    return calls.values().stream().anyMatch(call -> call.path("status").asText().equals(AWAITING));
  }

  private void put(
      String callId,
      String tool,
      JsonNode input,
      String status,
      @Nullable JsonNode output,
      @Nullable String error) {
    ObjectNode call = Json.object().put("tool", tool);
    call.set("input", input);
    call.put("call_id", callId).put("status", status);
    call.set("output", output);
    call.put("error", error);
    calls.remove(callId);
    calls.put(callId, call);
  }

  private ObjectNode body(int tokens) {
    ObjectNode body = Json.object();
    body.put("response", response);
    body.put("session_id", sessionId);
    body.put("tokens", tokens);
    ArrayNode list = body.putArray("tool_calls");
    calls.values().forEach(list::add);
    return body;
  }
}
