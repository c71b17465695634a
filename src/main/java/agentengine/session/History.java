package agentengine.session;

import agentengine.model.ChatMessage;
import agentengine.model.ToolRequest;
import java.util.ArrayList;
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
  private static final String NO_RESULT = "error: the turn ended before this call had a result";

  private final List<Message> messages;

  private History(List<Message> messages) {
    this.messages = messages;
  }

  /** Cuts a conversation, oldest first, down to a budget of estimated tokens. */
  public static History of(List<Message> conversation, int budget) {
    int start = conversation.size();
    int newestUser = newestUserMessage(conversation);
    long used = 0;
    while (start > 0) {
      int unitStart = unitStart(conversation, start - 1);
      long size = 0;
      for (int i = unitStart; i < start; i++) {
        size += conversation.get(i).size();
      }
      // What was said last, and all that was done about it, is never dropped.
      if (unitStart < newestUser && used + size > budget) {
        break;
      }
      used += size;
      start = unitStart;
    }
    // A model is never shown results without their call, nor an answer without its question.
    while (start < newestUser && conversation.get(start).role() != Message.Role.USER) {
      start++;
    }
    return new History(conversation.subList(start, conversation.size()));
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

  /** The messages as a model is to see them: every call with one result, and no other result. */
  public List<ChatMessage> forModel() {
    List<ChatMessage> result = new ArrayList<>(messages.size());
    Map<String, ToolRequest> open = new LinkedHashMap<>();
    for (Message message : messages) {
      switch (message.role()) {
        case USER -> {
          closeCalls(result, open);
          addUser(result, message.content());
        }
        case ASSISTANT -> {
          closeCalls(result, open);
          message.toolRequests().forEach(request -> open.put(request.callId(), request));
          result.add(new ChatMessage.Assistant(message.content(), message.toolRequests()));
        }
        case TOOL -> {
          ToolRequest request = open.remove(message.callId());
          if (request != null) {
            result.add(
                new ChatMessage.ToolResult(request.callId(), request.tool(), message.content()));
          }
        }
      }
    }
    closeCalls(result, open);
    return result;
  }

  /** A turn that ended among its tool calls leaves some without a result; providers want one. */
  private static void closeCalls(List<ChatMessage> result, Map<String, ToolRequest> open) {
    for (ToolRequest request : open.values()) {
      result.add(new ChatMessage.ToolResult(request.callId(), request.tool(), NO_RESULT));
    }
    open.clear();
  }

  /** A turn that failed leaves its user message unanswered; providers want roles to alternate. */
  private static void addUser(List<ChatMessage> result, String text) {
    if (!result.isEmpty() && result.getLast() instanceof ChatMessage.User) {
      result.add(new ChatMessage.Assistant(NO_ANSWER, List.of()));
    }
    result.add(new ChatMessage.User(text));
  }
}
