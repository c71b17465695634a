package agentengine.turn;

import agentengine.model.ModelAnswer;
import agentengine.model.TokenEstimate;
import agentengine.model.ToolRequest;
import agentengine.session.Message;
import agentengine.session.Origin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a turn has reached: the conversation so far, its steps and tokens, its place in the log. */
final class TurnState {
  private static final int MAX_TOOL_NAME = 100;

  private final TurnKey key;
  private final String agent;
  private final List<Message> conversation;
  private volatile Spent spent;

  TurnState(TurnKey key, String agent, List<Message> conversation, Spent spent) {
    this.key = key;
    this.agent = agent;
    this.conversation = new ArrayList<>(conversation);
    this.spent = spent;
  }

  TurnKey key() {
    return key;
  }

  String agent() {
    return agent;
  }

  List<Message> conversation() {
    return conversation;
  }

  /** What the turn's own model calls took, without those of its sub-agents. */
  Spent spent() {
    return spent;
  }

  /** Counts a model call that gave an answer; only the turn's own thread does. */
  void count(Origin answer) {
    spent = spent.plus(answer);
  }

  /** The name of the model that gave the turn's last answer, if there is one. */
  @Nullable String servedBy() {
    for (Message message : conversation.reversed()) {
      if (message.turn() != key.number()) {
        break;
      }
      if (message.origin() != null) {
        return message.origin().model();
      }
    }
    return null;
  }

  /** Forgets what no later request of this turn can have room for. */
  void keepOnly(List<Message> messages) {
    if (messages.size() < conversation.size()) {
      List<Message> kept = List.copyOf(messages);
      conversation.clear();
      conversation.addAll(kept);
    }
  }

  /** The turn's answer once it is complete: the last text, or else what was shown. */
  String answer() {
    for (Message message : conversation.reversed()) {
      if (message.role() == Message.Role.ASSISTANT) {
        return message.toolRequests().isEmpty()
            ? message.content()
            : message.toolRequests().getLast().arguments();
      }
    }
    return "";
  }

  /** Whether the model was heard in this turn before. */
  boolean hasAnswered() {
    return conversation.getLast().role() != Message.Role.USER;
  }

  /** The assistant's next message. */
  Message assistantMessage(TurnServices services, ModelAnswer answer, Origin origin) {
    StringBuilder all = new StringBuilder(answer.text());
    List<ToolRequest> requests = new ArrayList<>(answer.toolRequests().size());
    for (ToolRequest request : answer.toolRequests()) {
      all.append(request.tool()).append(request.arguments());
      // A provider's own ids repeat from step to step; ours is the call's name for ever.
      String callId = "call_" + services.ids().next().replace("-", "");
      requests.add(new ToolRequest(callId, named(request.tool()), request.arguments()));
    }
    return message(
        services,
        Message.Role.ASSISTANT,
        answer.text(),
        requests,
        null,
        answer.usage().outputTokens(),
        size(all.toString(), origin),
        0,
        origin);
  }

  /** Thinking that is shown again takes the room that it took when it was written. */
  private static int size(String text, Origin origin) {
    int estimate = TokenEstimate.ofMessage(text);
    return origin.carry() == null ? estimate : Math.max(estimate, origin.usage().outputTokens());
  }

  /** A model may make up a name of any length. */
  private static String named(String tool) {
    return tool.substring(0, Math.min(tool.length(), MAX_TOOL_NAME));
  }

  /** What a tool answered, as a message that comes after the next few. */
  Message toolMessage(TurnServices services, ToolRequest request, String content, int after) {
    return message(
        services,
        Message.Role.TOOL,
        content,
        List.of(),
        request.callId(),
        null,
        TokenEstimate.ofMessage(content),
        after,
        null);
  }

  private Message message(
      TurnServices services,
      Message.Role role,
      String content,
      List<ToolRequest> requests,
      @Nullable String callId,
      @Nullable Integer tokens,
      int size,
      int after,
      @Nullable Origin origin) {
    return new Message(
        services.ids().next(),
        conversation.getLast().position() + 1 + after,
        key.number(),
        role,
        agent,
        content,
        List.copyOf(requests),
        callId,
        tokens,
        size,
        services.clock().instant(),
        origin);
  }
}
