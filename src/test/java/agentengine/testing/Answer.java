package agentengine.testing;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A complete HTTP answer. */
@SuppressWarnings("ArrayRecordComponent") // nobody compares answers
public record Answer(int status, Map<String, List<String>> headers, byte[] body) {
  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }

  public JsonNode json() {
    return Json.parse(text());
  }

  /** The body, if the status is the one expected. */
  public JsonNode expect(int expected) {
    if (status != expected) {
      throw new AssertionError("expected " + expected + " but got " + status + ": " + text());
    }
    return body.length == 0 ? Json.object() : json();
  }

  /** The error's code, if the status is the one expected. */
  public String error(int expected) {
    return expect(expected).path("error").asText();
  }

  public @Nullable String header(String name) {
    for (Map.Entry<String, List<String>> entry : headers.entrySet()) {
      if (entry.getKey().equalsIgnoreCase(name)) {
        return entry.getValue().getFirst();
      }
    }
    return null;
  }
}
