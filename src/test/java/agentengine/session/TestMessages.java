package agentengine.session;

import agentengine.model.ToolRequest;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Messages as a store would hold them. */
final class TestMessages {
  private TestMessages() {}

  static Message user(int position, String text, int size) {
    return message(position, Message.Role.USER, text, List.of(), null, size);
  }

  /** An assistant's message that calls a tool for each id. */
  static Message assistant(int position, String text, List<String> callIds, int size) {
    List<ToolRequest> calls =
        callIds.stream().map(id -> new ToolRequest(id, "tool-" + id, "{}")).toList();
    return message(position, Message.Role.ASSISTANT, text, calls, null, size);
  }

  static Message assistant(int position, String text, int size) {
    return assistant(position, text, List.of(), size);
  }

  static Message result(int position, @Nullable String callId, int size) {
    return message(position, Message.Role.TOOL, "result", List.of(), callId, size);
  }

  private static Message message(
      int position,
      Message.Role role,
      String text,
      List<ToolRequest> calls,
      @Nullable String callId,
      int size) {
    return new Message(
        "m" + position,
        position,
        1,
        role,
        "helper",
        text,
        calls,
        callId,
        role == Message.Role.ASSISTANT ? 7 : null,
        size,
        Instant.ofEpochMilli(1_700_000_000_000L + position));
  }

  /** An assistant's message that a model wrote, with a call of a tool. */
  static Message from(int position, Origin origin) {
    Message plain = assistant(position, "text", List.of("call-" + position), 3);
    return new Message(
        plain.id(),
        position,
        plain.turn(),
        plain.role(),
        plain.agent(),
        plain.content(),
        plain.toolRequests(),
        null,
        origin.usage().outputTokens(),
        plain.size(),
        plain.createdAt(),
        origin);
  }
}
