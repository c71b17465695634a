package agentengine.model;

import agentengine.json.TextRules;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** An answer while it arrives: relays its text, and is the whole of it at the end. */
final class AnswerDraft {
  private static final int MAX_CHARACTERS = 8 * 1024 * 1024;

  /** What a call takes beside its texts, so that empty ones have a limit, too. */
  private static final int CHARACTERS_OF_CALL = 1_000;

  private final ModelListener listener;
  private final StringBuilder text = new StringBuilder();
  private final List<ToolRequest> calls = new ArrayList<>();
  private final Set<String> callIds = new HashSet<>();
  private ModelAnswer.@Nullable Usage usage;
  private @Nullable JsonNode carry;
  private int characters;
  private boolean complete;

  AnswerDraft(ModelListener listener) {
    this.listener = listener;
  }

  void text(String piece) {
    if (!piece.isEmpty()) {
      count(piece);
      text.append(piece);
      listener.text(piece);
    }
  }

  void thinking(String piece) {
    if (!piece.isEmpty()) {
      count(piece);
      listener.thinking(piece);
    }
  }

  /** Adds what is kept of the answer to its size, which has a limit. */
  void count(String piece) {
    count(piece.length());
  }

  /** Counts a call that begins. */
  void countCall() {
    count(CHARACTERS_OF_CALL);
  }

  private void count(int more) {
    characters += more;
    if (characters > MAX_CHARACTERS) {
      throw new ModelException(
          ModelException.Kind.MALFORMED,
          "the model's answer has more than " + MAX_CHARACTERS + " characters");
    }
  }

  /** Results are told apart by the id of their call, which some providers leave out or repeat. */
  void call(@Nullable String id, String tool, String arguments) {
    String unique = id == null || !callIds.add(id) ? "call_" + UUID.randomUUID() : id;
    calls.add(
        new ToolRequest(
            unique,
            TextRules.storable(tool),
            TextRules.storable(arguments.isBlank() ? "{}" : arguments)));
  }

  void usage(ModelAnswer.Usage counted) {
    usage = counted;
  }

  /** What the provider wants back with the results of the calls. */
  void carry(JsonNode content) {
    carry = content;
  }

  /** The provider said that this is all. */
  void complete() {
    complete = true;
  }

  boolean isEmpty() {
    return text.isEmpty() && calls.isEmpty();
  }

  ModelAnswer answer(ModelRecord model, ModelRequest request) {
    if (!complete) {
      throw new ModelException(
          ModelException.Kind.CONNECTION, "the provider ended the answer before it was complete");
    }
    String whole = TextRules.storable(text.toString());
    return new ModelAnswer(
        whole,
        List.copyOf(calls),
        usage == null ? estimate(request, whole) : usage,
        carry == null || calls.isEmpty()
            ? null
            : new Carry(model.kind(), model.modelName(), carry));
  }

  private ModelAnswer.Usage estimate(ModelRequest request, String whole) {
    int output = TokenEstimate.ofText(whole);
    for (ToolRequest call : calls) {
      output += TokenEstimate.ofText(call.tool() + call.arguments());
    }
    return new ModelAnswer.Usage(TokenEstimate.of(request), output, 0, 0, 0, true);
  }
}
