package agentengine.http;

import agentengine.error.EngineException;
import agentengine.json.Json;
import agentengine.secret.Sha256;
import agentengine.turn.IdempotencyKeys;
import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads the header by which a client marks a request that it may send again. */
final class RetriedRequest {
  private static final HeaderName IDEMPOTENCY_KEY = HeaderNames.create("Idempotency-Key");
  private static final Pattern KEY_FORM = Pattern.compile("[\\x21-\\x7E]{1,255}");

  private RetriedRequest() {}

  /** The caller's claim on its key, or null when there is no key. */
  static IdempotencyKeys.@Nullable Claim claim(Exchange exchange, String what, JsonNode body) {
    String key = exchange.header(IDEMPOTENCY_KEY);
    if (key == null) {
      return null;
    }
    if (!KEY_FORM.matcher(key).matches()) {
      throw EngineException.badRequest(
          "the header Idempotency-Key must have 1 to 255 visible characters");
    }
    return new IdempotencyKeys.Claim(
        exchange.caller().id(), key, Sha256.hex(what + " " + Json.write(body)));
  }
}
