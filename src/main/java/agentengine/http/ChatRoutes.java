package agentengine.http;

import agentengine.auth.Scope;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.turn.LoggedEvent;
import agentengine.turn.TurnEvent;
import agentengine.turn.TurnReader;
import agentengine.turn.Turns;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** Talking to a schema: as a stream, or as one JSON body. */
final class ChatRoutes {
  private static final int MAX_MESSAGE_BYTES = 256 * 1024;
  private static final int MAX_SESSION_ID = 64;
  private static final Duration POLL = Duration.ofMinutes(1);

  private record ChatRequest(Turns.NewMessage message, boolean stream) {}

  private final Turns turns;
  private final SseStream sse;

  ChatRoutes(Turns turns, SseStream sse) {
    this.turns = turns;
    this.sse = sse;
  }

  List<Route> routes() {
    return List.of(
        Route.post("/api/v1/schemas/{name}/chat", Access.scopes(Scope.CHAT), this::chat));
  }

  private void chat(Exchange exchange) throws Exception {
    ChatRequest request = request(exchange);
    Turns.Accepted accepted = turns.accept(exchange.caller(), request.message());
    if (request.stream()) {
      sse.send(exchange, accepted.sessionId(), accepted.reader());
    } else {
      answerWhole(exchange, accepted);
    }
  }

  private static ChatRequest request(Exchange exchange) {
    Fields fields = Fields.of(exchange.body());
    String message = fields.requiredString("message", Integer.MAX_VALUE);
    String sessionId = fields.string("session_id", MAX_SESSION_ID);
    boolean stream = fields.bool("stream", true);
    fields.finish();
    if (message.getBytes(StandardCharsets.UTF_8).length > MAX_MESSAGE_BYTES) {
      throw new EngineException(
          ErrorCode.PAYLOAD_TOO_LARGE,
          "the message has more than " + MAX_MESSAGE_BYTES / 1024 + " KiB");
    }
    return new ChatRequest(
        new Turns.NewMessage(exchange.parameter("name"), sessionId, message), stream);
  }

  private static void answerWhole(Exchange exchange, Turns.Accepted accepted)
      throws InterruptedException {
    exchange.setHeader("X-Session-Id", accepted.sessionId());
    TurnReader reader = accepted.reader();
    String response = "";
    ArrayNode toolCalls = Json.array();
    while (!reader.isOver()) {
      for (LoggedEvent logged : reader.next(POLL)) {
        switch (logged.event()) {
          case TurnEvent.Thinking _, TurnEvent.MessageDelta _ -> {}
          case TurnEvent.MessageComplete(String content) -> response = content;
          case TurnEvent.ToolReturned returned -> toolCalls.add(toolCall(returned));
          case TurnEvent.Failed(ErrorCode code, String message) -> {
            exchange.send(Statuses.of(code), ErrorBody.of(code, message, List.of()));
            return;
          }
          case TurnEvent.Done(String sessionId, int tokens) -> {
            ObjectNode body = Json.object();
            body.put("response", response);
            body.put("session_id", sessionId);
            body.put("tokens", tokens);
            body.set("tool_calls", toolCalls);
            exchange.ok(body);
            return;
          }
        }
      }
    }
    // Only a stop of the engine ends a turn's events without its end.
    exchange.send(
        Status.SERVICE_UNAVAILABLE_503,
        ErrorBody.of(
            ErrorCode.OVERLOADED,
            "the engine is stopping; the turn goes on after its start: read session "
                + accepted.sessionId(),
            List.of()));
  }

  private static ObjectNode toolCall(TurnEvent.ToolReturned returned) {
    ObjectNode call = Json.object();
    call.put("tool", returned.request().tool());
    call.set("input", SessionJson.input(returned.request()));
    call.put("call_id", returned.request().callId());
    call.put("status", returned.status());
    call.set("output", returned.output());
    call.put("error", returned.error());
    return call;
  }
}
