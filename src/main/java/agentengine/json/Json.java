package agentengine.json;

import agentengine.error.EngineException;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.util.JsonRecyclerPools;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.regex.Pattern;

/** The one strict mapper: no duplicate keys, no trailing text, bounded depth. */
public final class Json {
  private static final int MAX_DEPTH = 100;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder(factory().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** For what other programs wrote, who may be careless with what does not matter. */
  private static final ObjectMapper LENIENT =
      JsonMapper.builder(factory().build())
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  /** What the parser says about itself, which helps nobody who wrote the text. */
  private static final Pattern PARSER_INTERNALS =
      Pattern.compile(" \\(start marker at \\[.*?]\\)|, from `[^`]*`");

  private Json() {}

  /**
   * Buffers are shared: by default every thread has its own, and a virtual one lives for a turn.
   */
  private static JsonFactoryBuilder factory() {
    return new JsonFactoryBuilder()
        .recyclerPool(JsonRecyclerPools.sharedConcurrentDequePool())
        .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(MAX_DEPTH).build());
  }

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  public static ArrayNode array(Collection<String> values) {
    ArrayNode array = array();
    values.forEach(array::add);
    return array;
  }

  public static TextNode text(String value) {
    return JsonNodeFactory.instance.textNode(value);
  }

  /** Parses text that came from outside; what is not JSON in UTF-8 is the caller's mistake. */
  public static JsonNode parseRequest(byte[] utf8) {
    String text;
    try {
      text =
          StandardCharsets.UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(utf8))
              .toString();
    } catch (CharacterCodingException _) {
      throw EngineException.badRequest("the body is not valid UTF-8");
    }
    try {
      JsonNode node = MAPPER.readTree(text);
      if (node == null || node.isMissingNode()) {
        throw EngineException.badRequest("the body is empty; a JSON object is expected");
      }
      return node;
    } catch (JsonProcessingException e) {
      throw EngineException.badRequest("the body is not valid JSON: " + position(e));
    } catch (NumberFormatException _) {
      throw EngineException.badRequest("the body holds a number that is out of all range");
    }
  }

  private static String position(JsonProcessingException e) {
    String message = e.getOriginalMessage().lines().findFirst().orElse("unreadable");
    String problem = PARSER_INTERNALS.matcher(message).replaceAll("");
    return e.getLocation() == null
        ? problem
        : problem
            + " (line "
            + e.getLocation().getLineNr()
            + ", column "
            + e.getLocation().getColumnNr()
            + ")";
  }

  /** Parses text that this program wrote itself. */
  public static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Parses what another program sent.
   *
   * @throws IllegalArgumentException when it is not JSON
   */
  public static JsonNode parseForeign(String text) {
    try {
      return LENIENT.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(e.getOriginalMessage(), e);
    }
  }

  /** Parses text of our own that holds an object. */
  public static ObjectNode parseObject(String text) {
    return (ObjectNode) parse(text);
  }

  public static String write(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static byte[] writeBytes(JsonNode node) {
    try {
      return MAPPER.writeValueAsBytes(node);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A record of ours as JSON; {@link #parseRecord} takes it back. */
  public static String writeRecord(Object record) {
    try {
      return MAPPER.writeValueAsString(record);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static <T> T parseRecord(String text, Class<T> type) {
    try {
      return MAPPER.readValue(text, type);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
