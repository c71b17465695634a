package agentengine.turn;

import agentengine.model.ToolRequest;
import agentengine.session.Message;
import agentengine.tool.StructuredOutput;
import agentengine.turn.ToolDoor.Passage;
import java.util.ArrayList;
import java.util.List;

/** Results of a step that are told together: as messages to the model, and as events to clients. */
final class Delivery {
  private final TurnContext turn;
  private final int maxCharacters;
  private final List<Integer> indexes = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();
  private final List<TurnEvent.Durable> events = new ArrayList<>();

  Delivery(TurnContext turn) {
    this.turn = turn;
    this.maxCharacters = turn.services().limits().get().tools().outputCharacters();
  }

  void add(int index, Passage passage, Outcome outcome) {
    indexes.add(index);
    messages.add(
        turn.state()
            .toolMessage(
                turn.services(),
                passage.request(),
                outcome.forModel(maxCharacters),
                messages.size()));
    events.add(event(passage, outcome));
  }

  private static TurnEvent.Durable event(Passage passage, Outcome outcome) {
    return switch (passage) {
      case Passage.Started(ToolRequest request, _, _, var payload) when shown(request, outcome) ->
          new TurnEvent.StructuredOutputShown(request.callId(), payload);
      case Passage.Asked(ToolRequest request, _, _, var payload, _) when shown(request, outcome) ->
          new TurnEvent.StructuredOutputShown(request.callId(), payload);
      default ->
          new TurnEvent.ToolReturned(
              passage.request(), outcome.kind().wireName(), outcome.output(), outcome.error());
    };
  }

  private static boolean shown(ToolRequest request, Outcome outcome) {
    return request.tool().equals(StructuredOutput.NAME) && outcome.kind() == Outcome.Kind.COMPLETED;
  }

  /** Which calls of the step they belong to. */
  List<Integer> indexes() {
    return indexes;
  }

  List<Message> messages() {
    return messages;
  }

  List<TurnEvent.Durable> events() {
    return events;
  }
}
