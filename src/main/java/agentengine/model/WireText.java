package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** What the wire formats have in common: texts and trees that every provider takes. */
final class WireText {
  /** Providers refuse a message of nothing. */
  static final String NO_TEXT = "(no text)";

  private static final Pattern ILLEGAL_IN_NAME = Pattern.compile("[^a-zA-Z0-9_-]");
  private static final int MAX_NAME = 64;

  private WireText() {}

  /** A piece of a streamed answer, which is always an object. */
  static ObjectNode event(String data) {
    try {
      if (Json.parseForeign(data) instanceof ObjectNode object) {
        return object;
      }
    } catch (IllegalArgumentException e) {
      throw ProviderFailures.malformed(e);
    }
    throw ProviderFailures.malformed("a piece of it is not a JSON object");
  }

  /** A name as a part of an address, whatever is in it. */
  static String pathSegment(String name) {
    return URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
  }

  static boolean isGiven(JsonNode node) {
    return !node.isMissingNode() && !node.isNull();
  }

  static String legalName(String name) {
    String legal = ILLEGAL_IN_NAME.matcher(name).replaceAll("_");
    return legal.isEmpty() ? "_" : legal.substring(0, Math.min(legal.length(), MAX_NAME));
  }

  /** What a model wrote badly before, it is shown as something that every provider takes. */
  static ObjectNode arguments(ToolRequest request) {
    try {
      if (Json.parseForeign(request.arguments()) instanceof ObjectNode object) {
        return object;
      }
    } catch (IllegalArgumentException _) {
      // Not JSON: the model has been told so.
    }
    return Json.object();
  }

  /** A tool's schema; some providers insist on what JSON Schema lets one leave out. */
  static ObjectNode parameters(ToolDefinition tool) {
    ObjectNode schema = tool.parameters();
    if (schema.has("type") && schema.has("properties")) {
      return schema;
    }
    ObjectNode whole = schema.deepCopy();
    whole.put("type", "object");
    if (!whole.has("properties")) {
      whole.putObject("properties");
    }
    return whole;
  }
}
