package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.TreeMap;

/** Reads an answer of Anthropic's: blocks that begin, grow and end, each under its index. */
final class AnthropicReader implements WireFormat.EventReader {
  /** In what is carried, stands for a tool call, by its place among the answer's calls. */
  static final String CALL = "call";

  private static final String SIGNATURE = "signature";

  /** One block of the answer while it grows. */
  private static final class Block {
    private final ObjectNode start;
    private final StringBuilder text = new StringBuilder();
    private final StringBuilder signature = new StringBuilder();

    Block(ObjectNode start) {
      this.start = start;
    }

    String type() {
      return start.path("type").asText("");
    }
  }

  private final AnswerDraft draft;
  private final Map<Integer, Block> blocks = new TreeMap<>();
  private final ObjectNode usage = Json.object();
  private String stopReason = "";
  private String explanation = "";

  AnthropicReader(AnswerDraft draft) {
    this.draft = draft;
  }

  @Override
  public void take(String data) {
    ObjectNode event = WireText.event(data);
    switch (event.path("type").asText("")) {
      case "message_start" -> count(event.at("/message/usage"));
      case "content_block_start" -> begin(event);
      case "content_block_delta" -> grow(event);
      case "message_delta" -> {
        count(event.path("usage"));
        stopReason = event.at("/delta/stop_reason").asText(stopReason);
        explanation = event.at("/delta/stop_details/explanation").asText(explanation);
      }
      case "message_stop" -> draft.complete();
      case "error" -> throw ProviderFailures.inStream(event.path("error"));
      default -> {
        // Pings, the ends of blocks, and what may be added one day. But an error may come bare.
        if (WireText.isGiven(event.path("error"))) {
          throw ProviderFailures.inStream(event.path("error"));
        }
      }
    }
  }

  private void begin(ObjectNode event) {
    if (event.path("content_block") instanceof ObjectNode start) {
      Block block = new Block(start);
      blocks.put(event.path("index").asInt(), block);
      draft.count(start.path("data").asText("")); // of thinking that is kept secret
      switch (block.type()) {
        case "text" -> say(block, start.path("text").asText(""));
        case "thinking" -> think(block, start.path("thinking").asText(""));
        default -> {}
      }
    }
  }

  private void grow(ObjectNode event) {
    Block block = blocks.get(event.path("index").asInt());
    if (block == null) {
      throw ProviderFailures.malformed("it goes on with a block that did not begin");
    }
    JsonNode delta = event.path("delta");
    switch (delta.path("type").asText("")) {
      case "text_delta" -> say(block, delta.path("text").asText(""));
      case "thinking_delta" -> think(block, delta.path("thinking").asText(""));
      case "input_json_delta" -> append(block.text, delta.path("partial_json").asText(""));
      case "signature_delta" -> append(block.signature, delta.path(SIGNATURE).asText(""));
      default -> {} // citations and the like
    }
  }

  private void say(Block block, String text) {
    block.text.append(text);
    draft.text(text);
  }

  private void think(Block block, String text) {
    block.text.append(text);
    draft.thinking(text);
  }

  private void append(StringBuilder kept, String piece) {
    draft.count(piece);
    kept.append(piece);
  }

  /** Counts come twice, the later ones cumulative. */
  private void count(JsonNode counted) {
    counted.properties().stream()
        .filter(count -> count.getValue().isInt())
        .forEach(count -> usage.set(count.getKey(), count.getValue()));
  }

  @Override
  public void finish() {
    ArrayNode kept = Json.array();
    int calls = 0;
    boolean thought = false;
    for (Block block : blocks.values()) {
      switch (block.type()) {
        case "thinking" -> {
          thought = true;
          String first = block.start.path(SIGNATURE).asText("");
          kept.addObject()
              .put("type", "thinking")
              .put("thinking", block.text.toString())
              .put(SIGNATURE, first + block.signature);
        }
        case "redacted_thinking" -> {
          thought = true;
          kept.addObject()
              .put("type", "redacted_thinking")
              .put("data", block.start.path("data").asText(""));
        }
        case "text" -> {
          if (!block.text.toString().isBlank()) {
            kept.addObject().put("type", "text").put("text", block.text.toString());
          }
        }
        case "tool_use" -> {
          addCall(block);
          kept.addObject().put(CALL, calls++);
        }
        default -> {}
      }
    }
    if (thought) {
      draft.carry(kept);
    }
    if (stopReason.equals("refusal")) {
      throw new ModelException(
          ModelException.Kind.REFUSED,
          "the model refuses to answer this" + (explanation.isEmpty() ? "" : ": " + explanation));
    }
    if (!usage.isEmpty()) {
      draft.usage(used());
    }
  }

  private void addCall(Block block) {
    String input =
        block.text.isEmpty() ? Json.write(block.start.path("input")) : block.text.toString();
    String id = block.start.path("id").asText("");
    draft.call(id.isEmpty() ? null : id, block.start.path("name").asText(""), input);
  }

  /** The provider counts what its cache took or gave apart from the rest of the prompt. */
  private ModelAnswer.Usage used() {
    int cached = usage.path("cache_read_input_tokens").asInt();
    int written = usage.path("cache_creation_input_tokens").asInt();
    return new ModelAnswer.Usage(
        usage.path("input_tokens").asInt() + cached + written,
        usage.path("output_tokens").asInt(),
        cached,
        written,
        0,
        false);
  }
}
