package agentengine.turn;

import agentengine.model.ModelAnswer;
import agentengine.model.TokenEstimate;
import agentengine.model.ToolRequest;
import agentengine.session.Message;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a turn has reached: the conversation so far, its steps and tokens, its place in the log. */
final class TurnState {
  private final TurnKey key;
  private final String agent;
  private final List<Message> conversation;
  private int steps;
  private int tokens;
  private int lastEvent;

  TurnState(TurnKey key, String agent, List<Message> conversation, int steps, int tokens) {
    this.key = key;
    this.agent = agent;
    this.conversation = new ArrayList<>(conversation);
    this.steps = steps;
    this.tokens = tokens;
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

  int steps() {
    return steps;
  }

  int tokens() {
    return tokens;
  }

  /** Counts a model call that gave an answer. */
  void count(ModelAnswer answer) {
    steps++;
    tokens += answer.usage().total();
  }

  EventId nextEventId() {
    return new EventId(key.number(), key.attempt(), ++lastEvent);
  }

  /** Whether the model was heard in this turn before. */
  boolean hasAnswered() {
    return conversation.getLast().role() != Message.Role.USER;
  }

  /** The assistant's next message. */
  Message assistantMessage(TurnServices services, ModelAnswer answer) {
    StringBuilder all = new StringBuilder(answer.text());
    for (ToolRequest request : answer.toolRequests()) {
      all.append(request.tool()).append(request.arguments());
    }
    return message(
        services,
        Message.Role.ASSISTANT,
        answer.text(),
        answer.toolRequests(),
        null,
        answer.usage().outputTokens(),
        TokenEstimate.ofMessage(all.toString()));
  }

  /** What a tool answered, as the next message. */
  Message toolMessage(TurnServices services, ToolRequest request, String content) {
    return message(
        services,
        Message.Role.TOOL,
        content,
        List.of(),
        request.callId(),
        null,
        TokenEstimate.ofMessage(content));
  }

  private Message message(
      TurnServices services,
      Message.Role role,
      String content,
      List<ToolRequest> requests,
      @Nullable String callId,
      @Nullable Integer tokens,
      int size) {
    return new Message(
        services.ids().next(),
        conversation.getLast().position() + 1,
        key.number(),
        role,
        agent,
        content,
        requests,
        callId,
        tokens,
        size,
        services.clock().instant());
  }
}
