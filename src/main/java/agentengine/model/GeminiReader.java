package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** Reads an answer of Gemini's: each event holds parts that come whole. */
final class GeminiReader implements WireFormat.EventReader {
  /** In what is carried, stands for a tool call, by its place among the answer's calls. */
  static final String CALL = "call";

  static final String ID = "id";

  private static final String SIGNATURE = "thoughtSignature";
  private static final String TEXT = "text";

  /** Endings after which an answer is one; what was filtered in the middle is none. */
  private static final Set<String> GOOD_ENDINGS = Set.of("STOP", "MAX_TOKENS");

  private final AnswerDraft draft;

  /** The parts that matter for what comes next: the calls, what is signed, and the text between. */
  private final ArrayNode kept = Json.array();

  /** Text that is not in a kept part yet: it grows piece by piece. */
  private final StringBuilder said = new StringBuilder();

  private int calls;
  private boolean worthKeeping;
  private String ending = "";

  GeminiReader(AnswerDraft draft) {
    this.draft = draft;
  }

  @Override
  public void take(String data) {
    ObjectNode event = WireText.event(data);
    if (WireText.isGiven(event.path("error"))) {
      throw ProviderFailures.inStream(event.path("error"));
    }
    String blocked = event.at("/promptFeedback/blockReason").asText("");
    if (!blocked.isEmpty()) {
      throw new ModelException(
          ModelException.Kind.REFUSED, "the provider refuses the conversation: " + blocked);
    }
    if (event.path("usageMetadata").isObject()) {
      draft.usage(usage(event.path("usageMetadata")));
    }
    JsonNode candidates = event.path("candidates");
    if (WireText.isGiven(candidates) && !candidates.isArray()) {
      throw ProviderFailures.malformed("its candidates are not a list");
    }
    candidates.path(0).at("/content/parts").forEach(this::part);
    ending = candidates.path(0).path("finishReason").asText(ending);
  }

  private void part(JsonNode part) {
    String text = part.path(TEXT).asText("");
    boolean thought = part.path("thought").asBoolean();
    if (part.path("functionCall").isObject()) {
      call(part);
    } else if (thought) {
      draft.thinking(text);
    } else {
      draft.text(text);
    }
    String signature = part.path(SIGNATURE).asText("");
    if (!signature.isEmpty()) {
      worthKeeping = true;
      draft.count(signature);
    }
    keep(part, text, thought, !signature.isEmpty());
  }

  private void call(JsonNode part) {
    JsonNode function = part.path("functionCall");
    String arguments = function.has("args") ? Json.write(function.path("args")) : "{}";
    draft.countCall();
    draft.count(arguments);
    draft.call(null, function.path("name").asText(""), arguments);
  }

  private void keep(JsonNode part, String text, boolean thought, boolean isSigned) {
    if (part.path("functionCall").isObject()) {
      keepSaid();
      ObjectNode call = kept.addObject().put(CALL, calls++);
      JsonNode id = part.path("functionCall").path(ID);
      if (id.isTextual()) {
        call.set(ID, id);
        worthKeeping = true;
      }
      if (isSigned) {
        call.set(SIGNATURE, part.path(SIGNATURE));
      }
    } else if (isSigned) {
      keepSaid();
      kept.add(part);
    } else if (!thought) {
      said.append(text);
    }
  }

  private void keepSaid() {
    if (!said.isEmpty()) {
      kept.addObject().put(TEXT, said.toString());
      said.setLength(0);
    }
  }

  @Override
  public void finish() {
    if (ending.isEmpty()) {
      return; // cut off, which the draft notices
    }
    if (!GOOD_ENDINGS.contains(ending)) {
      // A call that the model garbled may come out well the next time.
      throw new ModelException(
          ending.equals("MALFORMED_FUNCTION_CALL")
              ? ModelException.Kind.UNAVAILABLE
              : ModelException.Kind.REFUSED,
          "the provider ended the answer with " + ending);
    }
    if (worthKeeping) {
      keepSaid();
      draft.carry(kept);
    }
    draft.complete();
  }

  private static ModelAnswer.Usage usage(JsonNode usage) {
    int input =
        usage.path("promptTokenCount").asInt() + usage.path("toolUsePromptTokenCount").asInt();
    int thoughts = usage.path("thoughtsTokenCount").asInt();
    return new ModelAnswer.Usage(
        input,
        usage.path("candidatesTokenCount").asInt() + thoughts,
        Math.min(usage.path("cachedContentTokenCount").asInt(), input),
        0,
        thoughts,
        false);
  }
}
