package agentengine.session;

import agentengine.model.ChatMessage;
import agentengine.model.ToolRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The part of a conversation that a model is shown: the newest whole units that fit, in a form that
 * any provider accepts. A unit is a user message, or an assistant message with all the results of
 * its tool calls.
 */
public final class History {
  private static final String NO_ANSWER = "(This message was not answered.)";
  private static final String NO_TEXT = "(The turn ended here.)";
  private static final String NO_RESULT = "error: the turn ended before this call had a result";

  private final List<Message> messages;

  private History(List<Message> messages) {
    this.messages = List.copyOf(messages);
  }

  /**
   * Cuts a conversation down to a budget of estimated tokens, the oldest units first. The newest
   * user message and the newest unit are never dropped, so what is left may still be too large.
   */
  public static History of(List<Message> conversation, int budget) {
    int newestUser = newestUserMessage(conversation);
    if (conversation.isEmpty()) {
      return new History(List.of());
    }
    long used = conversation.get(newestUser).size();
    int start = conversation.size();
    while (start > newestUser + 1) {
      int unitStart = Math.max(unitStart(conversation, start - 1), newestUser + 1);
      long size = size(conversation, unitStart, start);
      if (start < conversation.size() && used + size > budget) {
        break;
      }
      used += size;
      start = unitStart;
    }
    if (start > newestUser + 1) {
      // A long turn: its question, and the newest of what was done about it.
      List<Message> kept = new ArrayList<>();
      kept.add(conversation.get(newestUser));
      kept.addAll(conversation.subList(start, conversation.size()));
      return new History(kept);
    }
    return new History(
        conversation.subList(
            earliest(conversation, newestUser, budget - used), conversation.size()));
  }

  /** Where the part before the newest user message begins that still fits. */
  private static int earliest(List<Message> conversation, int newestUser, long budget) {
    int start = newestUser;
    long left = budget;
    while (start > 0) {
      int unitStart = unitStart(conversation, start - 1);
      left -= size(conversation, unitStart, start);
      if (left < 0) {
        break;
      }
      start = unitStart;
    }
    // A model is never shown results without their call, nor an answer without its question.
    while (start < newestUser && conversation.get(start).role() != Message.Role.USER) {
      start++;
    }
    return start;
  }

  private static long size(List<Message> conversation, int from, int to) {
    return conversation.subList(from, to).stream().mapToLong(Message::size).sum();
  }

  private static int newestUserMessage(List<Message> conversation) {
    for (int i = conversation.size() - 1; i >= 0; i--) {
      if (conversation.get(i).role() == Message.Role.USER) {
        return i;
      }
    }
    return 0;
  }

  /** Where the unit begins that the message at this index belongs to. */
  private static int unitStart(List<Message> conversation, int index) {
    int start = index;
    while (start > 0 && conversation.get(start).role() == Message.Role.TOOL) {
      start--;
    }
    return start;
  }

  public List<Message> messages() {
    return messages;
  }

  /** Its size in estimated tokens. */
  public long size() {
    return messages.stream().mapToLong(Message::size).sum();
  }

  /**
   * The messages as a model is to see them: every call with one result, and no other result. What a
   * model thought in an earlier turn is not shown again.
   */
  public List<ChatMessage> forModel() {
    int newestUser = newestUserMessage(messages);
    List<ChatMessage> result = new ArrayList<>(messages.size());
    Map<String, ToolRequest> calls = new LinkedHashMap<>();
    Map<String, String> outputs = new HashMap<>();
    for (int i = 0; i < messages.size(); i++) {
      Message message = messages.get(i);
      switch (message.role()) {
        case USER -> {
          closeCalls(result, calls, outputs);
          addUser(result, message.content());
        }
        case ASSISTANT -> {
          closeCalls(result, calls, outputs);
          message.toolRequests().forEach(request -> calls.put(request.callId(), request));
          result.add(
              new ChatMessage.Assistant(
                  message.content(),
                  message.toolRequests(),
                  i > newestUser ? message.carry() : null));
        }
        case TOOL -> {
          if (message.callId() != null) {
            outputs.putIfAbsent(message.callId(), message.content());
          }
        }
      }
    }
    closeCalls(result, calls, outputs);
    return result;
  }

  /**
   * The results in the order of their calls. A turn that ended among its calls leaves some without
   * a result; providers want one.
   */
  private static void closeCalls(
      List<ChatMessage> result, Map<String, ToolRequest> calls, Map<String, String> outputs) {
    for (ToolRequest call : calls.values()) {
      result.add(
          new ChatMessage.ToolResult(
              call.callId(), call.tool(), outputs.getOrDefault(call.callId(), NO_RESULT)));
    }
    calls.clear();
    outputs.clear();
  }

  /**
   * A turn that failed leaves its user message, or its tools' results, without an answer; providers
   * want the assistant to speak before the user does again.
   */
  private static void addUser(List<ChatMessage> result, String text) {
    if (!result.isEmpty()) {
      switch (result.getLast()) {
        case ChatMessage.User _ -> result.add(new ChatMessage.Assistant(NO_ANSWER, List.of()));
        case ChatMessage.ToolResult _ -> result.add(new ChatMessage.Assistant(NO_TEXT, List.of()));
        case ChatMessage.Assistant _ -> {}
      }
    }
    result.add(new ChatMessage.User(text));
  }
}
