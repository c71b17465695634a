package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** How a tool call ended: with an output, or with an error that says why it has none. */
record Outcome(Kind kind, @Nullable JsonNode output, @Nullable String error, long durationMs) {
  /** What a client is told about the end. */
  enum Kind {
    COMPLETED,
    FAILED,
    /** A person said no, or nothing in time. */
    REJECTED;

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What the ledger and the clients are given of an output at most. */
  private static final int MAX_KEPT_CHARACTERS = 1024 * 1024;

  static Outcome completed(JsonNode output, long durationMs) {
    return new Outcome(Kind.COMPLETED, kept(output), null, durationMs);
  }

  static Outcome failed(String error, long durationMs) {
    return new Outcome(Kind.FAILED, null, error, durationMs);
  }

  static Outcome rejected(String error) {
    return new Outcome(Kind.REJECTED, null, error, 0);
  }

  /** The outcome of a call that ended before a restart. */
  static Outcome of(ToolLedger.Entry ended) {
    JsonNode output = Json.parse(ended.output() == null ? "null" : ended.output());
    if (ended.status() == ToolLedger.Status.COMPLETED) {
      return new Outcome(Kind.COMPLETED, output, null, 0);
    }
    ToolLedger.Decision decision = ended.decision();
    boolean refused =
        decision != null
            && (decision.verdict() == ToolLedger.Verdict.REJECT
                || decision.verdict() == ToolLedger.Verdict.EXPIRED);
    return new Outcome(
        refused ? Kind.REJECTED : Kind.FAILED, null, output.path("error").asText(), 0);
  }

  private static JsonNode kept(JsonNode output) {
    String text = text(output);
    return text.length() <= MAX_KEPT_CHARACTERS
        ? output
        : TextNode.valueOf(cut(text, MAX_KEPT_CHARACTERS));
  }

  private static String text(JsonNode output) {
    return output.isTextual() ? output.textValue() : Json.write(output);
  }

  private static String cut(String text, int length) {
    int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
    return text.substring(0, end) + "\n[cut here: " + text.length() + " characters in all]";
  }

  /** What went wrong, in a word, or null. */
  @Nullable String problem() {
    return kind == Kind.COMPLETED ? null : kind.wireName();
  }

  ToolLedger.Status ledgerStatus() {
    return kind == Kind.COMPLETED ? ToolLedger.Status.COMPLETED : ToolLedger.Status.FAILED;
  }

  /** The JSON that the audit log keeps. */
  String forLedger() {
    return output == null ? Json.write(Json.object().put("error", error)) : Json.write(output);
  }

  /** The text that the model is shown. */
  String forModel(int maxCharacters) {
    if (output == null) {
      return "error: " + error;
    }
    String text = text(output);
    return text.length() <= maxCharacters ? text : cut(text, maxCharacters);
  }
}
