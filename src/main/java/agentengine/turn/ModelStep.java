package agentengine.turn;

import agentengine.agent.AgentSpec;
import agentengine.error.ErrorCode;
import agentengine.model.ModelException;
import agentengine.model.ModelListener;
import agentengine.model.ModelRecord;
import agentengine.model.ModelRequest;
import agentengine.model.Served;
import agentengine.model.TokenEstimate;
import agentengine.model.ToolDefinition;
import agentengine.session.History;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What happens when the model is asked: which models may answer, what they are shown, and that what
 * they say is told as it comes.
 */
final class ModelStep implements ModelListener {
  private final TurnContext turn;
  private final AgentSpec agent;
  private final AgentTools tools;

  ModelStep(TurnContext turn, AgentTools tools) {
    this.turn = turn;
    this.agent = turn.cast().agent().spec();
    this.tools = tools;
  }

  /**
   * Asks for the turn's next answer.
   *
   * @throws TurnFailure when there is none
   * @throws TurnStopped when the process ends first
   */
  Served run() {
    try {
      return turn.services().models().stream(
          candidates(), request(), this, turn.control().cancellation());
    } catch (ModelException e) {
      throw failure(e);
    }
  }

  /**
   * The models to ask, in their order. A turn stays with the one that gave its last answer; those
   * that failed before it come last.
   */
  private List<ModelRecord> candidates() {
    ModelRecord override = turn.override();
    if (override != null) {
      return List.of(override);
    }
    Casts.Cast cast = turn.cast();
    if (cast.fallbacks().isEmpty()) {
      return List.of(cast.model());
    }
    List<ModelRecord> models = new ArrayList<>();
    models.add(cast.model());
    models.addAll(cast.fallbacks());
    String last = turn.state().servedBy();
    for (int i = 0; i < models.size(); i++) {
      if (models.get(i).name().equals(last)) {
        Collections.rotate(models, -i);
        break;
      }
    }
    return models;
  }

  private ModelRequest request() {
    List<ToolDefinition> definitions = tools.definitions();
    int budget =
        agent.maxContextSize()
            - TokenEstimate.ofMessage(agent.system())
            - TokenEstimate.of(definitions);
    History history = History.of(turn.state().conversation(), budget);
    if (history.size() > budget) {
      throw new TurnFailure(
          ErrorCode.CONTEXT_OVERFLOW,
          "the message and what its tools gave do not fit into the agent's max_context_size of "
              + agent.maxContextSize()
              + " tokens");
    }
    turn.state().keepOnly(history.messages());
    AgentSpec.Sampling sampling = agent.sampling();
    return new ModelRequest(
        agent.system(),
        history.forModel(),
        definitions,
        new ModelRequest.Sampling(sampling.temperature(), sampling.topP(), sampling.maxTokens()));
  }

  private TurnFailure failure(ModelException e) {
    return switch (e.kind()) {
      case TIMEOUT -> new TurnFailure(ErrorCode.MODEL_TIMEOUT, e.reason());
      case CANCELLED -> {
        TurnControl.Ending why = turn.control().ending();
        if (why == null || !why.isFinal()) {
          throw new TurnStopped();
        }
        yield TurnFailure.of(why);
      }
      case CONNECTION, UNAVAILABLE, REFUSED, MALFORMED ->
          new TurnFailure(ErrorCode.MODEL_ERROR, e.reason());
    };
  }

  @Override
  public void thinking(String text) {
    turn.journal().tell(new TurnEvent.Thinking(text));
  }

  @Override
  public void text(String text) {
    turn.journal().tell(new TurnEvent.MessageDelta(text));
  }

  @Override
  public void pause() {
    turn.journal().wake();
  }
}
