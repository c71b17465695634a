package agentengine.http;

import agentengine.auth.Scope;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.secret.Sha256;
import agentengine.turn.Turns;
import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;

/** Talking to a schema: as a stream, or as one JSON body. */
final class ChatRoutes {
  private static final int MAX_MESSAGE_BYTES = 256 * 1024;
  private static final int MAX_SESSION_ID = 64;
  private static final HeaderName IDEMPOTENCY_KEY = HeaderNames.create("Idempotency-Key");
  private static final Pattern KEY_FORM = Pattern.compile("[\\x21-\\x7E]{1,255}");

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
      exchange.setHeader("X-Session-Id", accepted.sessionId());
      new WholeAnswer(accepted.sessionId(), turns).send(exchange, accepted.reader());
    }
  }

  private static ChatRequest request(Exchange exchange) {
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
    Turns.NewMessage message = new Turns.NewMessage(schema, sessionId, text, null);
    String key = exchange.header(IDEMPOTENCY_KEY);
    if (key == null) {
      return new ChatRequest(message, stream);
    }
    if (!KEY_FORM.matcher(key).matches()) {
      throw EngineException.badRequest(
          "the header Idempotency-Key must have 1 to 255 visible characters");
    }
    String hash = Sha256.hex("chat " + schema + " " + Json.write(body));
    return new ChatRequest(message.sentUnder(exchange.caller(), key, hash), stream);
  }
}
