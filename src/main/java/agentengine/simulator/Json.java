package agentengine.simulator;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The package's one JSON mapper. */
final class Json {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private Json() {}

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static JsonNode read(byte[] bytes) throws IOException {
    return MAPPER.readTree(bytes);
  }

  static boolean isObject(String text) {
    try {
      return MAPPER.readTree(text).isObject();
    } catch (JsonProcessingException e) {
      return false;
    }
  }

  static byte[] bytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The text as it stands between the quotes of a JSON string. */
  static String escaped(String text) {
    try {
      String quoted = MAPPER.writeValueAsString(text);
      return quoted.substring(1, quoted.length() - 1);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
