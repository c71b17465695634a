package agentengine.simulator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HexFormat;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/** An assistant message under way, in one of the two ways the client can ask for. */
sealed interface Answer permits StreamedAnswer, WholeAnswer {

  static Answer to(Conversation conversation, Reply reply) {
    return conversation.streamed()
        ? new StreamedAnswer(conversation.model(), reply)
        : new WholeAnswer(conversation.model(), reply);
  }

  /** Sends all that has been written; the first time the status line too, where there is one. */
  void begin();

  void text(String piece);

  void thinking(String piece);

  void toolCall(ToolPiece piece);

  void line(String line);

  /** Makes sure that nothing written waits on this side; begins nothing. */
  void flush();

  /** The regular end. */
  void finish(@Nullable String reason, @Nullable TokenUsage usage);

  /** An error where no status can be sent any more. */
  void fail(ApiError error);

  /** The end of the transmission without an end of the message. */
  void end();

  /** What both ways have in common. */
  static ObjectNode envelope(String object, String model) {
    return Json.object()
        .put("id", randomId("chatcmpl-"))
        .put("object", object)
        .put("created", System.currentTimeMillis() / 1000)
        .put("model", model);
  }

  static String randomId(String prefix) {
    return prefix + HexFormat.of().toHexDigits(ThreadLocalRandom.current().nextLong());
  }
}
