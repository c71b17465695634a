package agentengine.http;

import agentengine.auth.Scope;
import agentengine.config.SettingsStore;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Fields;
import agentengine.turn.Turns;
import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Talking to a schema: as a stream, or as one JSON body. */
final class ChatRoutes {
  private static final int MAX_MESSAGE_BYTES = 256 * 1024;
  private static final int MAX_SESSION_ID = 64;
  private static final HeaderName TRACEPARENT = HeaderNames.create("traceparent");

  private record ChatRequest(Turns.NewMessage message, boolean stream) {}

  private final Turns turns;
  private final SseStream sse;
  private final SettingsStore settings;

  ChatRoutes(Turns turns, SseStream sse, SettingsStore settings) {
    this.turns = turns;
    this.sse = sse;
    this.settings = settings;
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
      exchange.setHeader("X-Session-Id", accepted.sessionId());
      new WholeAnswer(accepted.sessionId(), turns).send(exchange, accepted.reader());
    }
  }

  private ChatRequest request(Exchange exchange) {
    JsonNode body = exchange.body();
    Fields fields = Fields.of(body);
    String text = fields.requiredString("message", Integer.MAX_VALUE);
    String sessionId = fields.string("session_id", MAX_SESSION_ID);
    boolean stream = fields.bool("stream", true);
    fields.finish();
    if (text.getBytes(StandardCharsets.UTF_8).length > MAX_MESSAGE_BYTES) {
      throw new EngineException(
          ErrorCode.PAYLOAD_TOO_LARGE,
          "the message has more than " + MAX_MESSAGE_BYTES / 1024 + " KiB");
    }
    String schema = exchange.parameter("name");
    return new ChatRequest(
        new Turns.NewMessage(
            schema,
            sessionId,
            text,
            RetriedRequest.claim(exchange, "chat " + schema, body),
            ModelHeaders.read(exchange, settings.current().modelOverride()),
            exchange.header(TRACEPARENT)),
        stream);
  }
}
