package agentengine.tool;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.apache.hc.core5.http.ContentType;
import org.jspecify.annotations.Nullable;

/** Makes a JSON value that both databases and every provider take out of the bytes of an answer. */
final class AnswerBody {
  private static final Pattern JSON_TYPE = Pattern.compile("(?i)[a-z]+/([^;]*\\+)?json");
  private static final char REPLACEMENT = '\uFFFD';

  private AnswerBody() {}

  /** The text of a body; what is not text in it is replaced. */
  static String text(byte[] body, @Nullable ContentType type) {
    Charset charset = type == null ? null : type.getCharset(StandardCharsets.UTF_8);
    return clean(new String(body, charset == null ? StandardCharsets.UTF_8 : charset));
  }

  /** JSON as its value, anything else as a text. */
  static JsonNode value(String text, @Nullable ContentType type) {
    if (type == null || text.isBlank() || !JSON_TYPE.matcher(type.getMimeType()).matches()) {
      return TextNode.valueOf(text);
    }
    try {
      return clean(Json.parse(text));
    } catch (UncheckedIOException | ArithmeticException | NumberFormatException _) {
      return TextNode.valueOf(text);
    }
  }

  /** Escapes in JSON may hold what its text does not. */
  private static JsonNode clean(JsonNode node) {
    return switch (node) {
      case TextNode text -> TextNode.valueOf(clean(text.textValue()));
      case ArrayNode array -> {
        ArrayNode cleaned = Json.array();
        array.forEach(item -> cleaned.add(clean(item)));
        yield cleaned;
      }
      case ObjectNode object -> {
        ObjectNode cleaned = Json.object();
        object
            .properties()
            .forEach(entry -> cleaned.set(clean(entry.getKey()), clean(entry.getValue())));
        yield cleaned;
      }
      default -> node;
    };
  }

  static String clean(String text) {
    StringBuilder cleaned = null;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (c == 0 || Character.isSurrogate(c)) {
        cleaned = cleaned == null ? new StringBuilder(text) : cleaned;
        cleaned.setCharAt(i, REPLACEMENT);
      }
    }
    return cleaned == null ? text : cleaned.toString();
  }
}
