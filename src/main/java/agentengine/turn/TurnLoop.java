package agentengine.turn;

import agentengine.agent.AgentSpec;
import agentengine.db.StoreUnavailable;
import agentengine.error.ErrorCode;
import agentengine.model.ModelAnswer;
import agentengine.model.ModelException;
import agentengine.model.ModelListener;
import agentengine.model.ModelRequest;
import agentengine.model.TokenEstimate;
import agentengine.model.ToolDefinition;
import agentengine.session.History;
import agentengine.session.Message;
import agentengine.session.Messages;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jdbi.v3.core.Handle;

/**
 * The loop of one attempt at a turn, of a root or a sub-agent: ask the model, commit what it said,
 * act on it, again. Clients hear of a durable event only after its commit, so what they saw is what
 * a restart finds.
 */
final class TurnLoop {
  private static final Logger LOG = System.getLogger(TurnLoop.class.getName());

  /** How a turn ended; it is in the store then. */
  sealed interface End {
    record Completed() implements End {}

    record Failed(TurnEvent.Failed event) implements End {}
  }

  private final TurnContext turn;
  private final TurnServices services;
  private final TurnState state;
  private final AgentSpec agent;
  private final AgentTools tools;
  private final ToolDoor door;
  private final long startedNanos = System.nanoTime();

  TurnLoop(TurnContext turn) {
    this.turn = turn;
    this.services = turn.services();
    this.state = turn.state();
    this.agent = turn.cast().agent().spec();
    this.tools = new AgentTools(turn);
    this.door = new ToolDoor(turn, tools);
  }

  /**
   * Runs the turn to its end.
   *
   * @throws TurnStopped when the process ends first; the store holds what is needed to go on
   */
  End run() {
    try {
      loop();
      count(TurnStatus.COMPLETED);
      return new End.Completed();
    } catch (TurnFailure e) {
      return fail(e.event());
    } catch (ModelException e) {
      return fail(failure(e));
    } catch (LostTurnException | TurnStopped | StoreUnavailable e) {
      throw e;
    } catch (RuntimeException e) {
      if (turn.control().ending() == TurnControl.Ending.ABANDONED) {
        throw e;
      }
      LOG.log(Level.ERROR, "a turn failed", e);
      return fail(new TurnEvent.Failed(ErrorCode.INTERNAL_ERROR, "the engine failed; see its log"));
    }
  }

  private void loop() {
    ToolStep left = ToolStep.left(turn, door);
    boolean over = left != null && left.run();
    while (!over) {
      turn.control().stopIfEnded();
      if (state.steps() >= agent.maxSteps()) {
        throw new TurnFailure(
            ErrorCode.MAX_STEPS,
            "the agent used its " + agent.maxSteps() + " steps without coming to an end");
      }
      ModelAnswer answer =
          services.models().stream(
              turn.cast().model(), request(), new Relay(), turn.control().cancellation());
      state.count(answer);
      if (answer.toolRequests().isEmpty()) {
        complete(answer);
        return;
      }
      over = ToolStep.begin(turn, door, answer).run();
    }
    // The agent showed something, and that was its last word.
    turn.control().stopIfEnded();
    record(TurnStatus.COMPLETED, List.of(), List.of(done()));
  }

  private ModelRequest request() {
    List<ToolDefinition> definitions = tools.definitions();
    int budget =
        agent.maxContextSize()
            - TokenEstimate.ofMessage(agent.system())
            - TokenEstimate.of(definitions);
    History history = History.of(state.conversation(), budget);
    if (history.size() > budget) {
      throw new TurnFailure(
          ErrorCode.CONTEXT_OVERFLOW,
          "the message and what its tools gave do not fit into the agent's max_context_size of "
              + agent.maxContextSize()
              + " tokens");
    }
    state.keepOnly(history.messages());
    AgentSpec.Sampling sampling = agent.sampling();
    return new ModelRequest(
        agent.system(),
        history.forModel(),
        definitions,
        new ModelRequest.Sampling(sampling.temperature(), sampling.topP(), sampling.maxTokens()));
  }

  private void complete(ModelAnswer answer) {
    turn.control().stopIfEnded(); // who was told "cancelled" must not then be given an answer
    if (answer.text().isEmpty()) {
      if (!state.hasAnswered()) {
        throw new TurnFailure(ErrorCode.MODEL_ERROR, "the model gave an empty answer");
      }
      record(TurnStatus.COMPLETED, List.of(), List.of(done()));
      return;
    }
    Message last = state.assistantMessage(services, answer);
    record(
        TurnStatus.COMPLETED,
        List.of(last),
        List.of(new TurnEvent.MessageComplete(answer.text()), done()));
    state.conversation().add(last);
    services
        .conversations()
        .keep(
            turn.key().sessionId(),
            History.of(state.conversation(), agent.maxContextSize()).messages(),
            agent.maxContextSize());
  }

  private TurnEvent.Done done() {
    return new TurnEvent.Done(turn.key().sessionId(), tokens());
  }

  /** All tokens of the turn: its own, and those of the sub-agents it called. */
  private int tokens() {
    return turn.cast().subAgents().isEmpty()
        ? state.tokens()
        : state.tokens() + services.db().read(handle -> SubTurns.tokensBelow(handle, turn.key()));
  }

  private End fail(TurnEvent.Failed failure) {
    TurnStatus status =
        failure.code() == ErrorCode.CANCELLED ? TurnStatus.CANCELLED : TurnStatus.FAILED;
    record(status, List.of(), List.of(failure));
    count(status);
    return new End.Failed(failure);
  }

  /** The end is one transaction: the final message, the counts, the status and the last events. */
  private void record(TurnStatus status, List<Message> messages, List<TurnEvent.Durable> events) {
    String sessionId = turn.key().sessionId();
    int tokens = tokens();
    turn.journal()
        .commit(
            events,
            handle -> {
              TurnStore.finish(
                  handle, turn.key(), status, state.steps(), tokens, services.clock().millis());
              messages.forEach(message -> Messages.insert(handle, sessionId, message));
              closeOpenCalls(handle); // calls before their session, as everybody locks them
              services.sessions().endTurn(handle, sessionId, messages.size());
              tellTask(handle, status, messages, events);
            });
  }

  /** The turn of a task ends its task. */
  private void tellTask(
      Handle handle, TurnStatus status, List<Message> messages, List<TurnEvent.Durable> events) {
    String taskId = turn.lineage().taskId();
    if (taskId == null || turn.lineage().depth() > 0) {
      return;
    }
    switch (status) {
      case COMPLETED ->
          services
              .tasks()
              .completed(
                  handle,
                  taskId,
                  messages.isEmpty() ? state.answer() : messages.getLast().content());
      case CANCELLED -> services.tasks().cancelled(handle, taskId);
      case FAILED, RUNNING ->
          services
              .tasks()
              .failed(
                  handle,
                  taskId,
                  events.getLast() instanceof TurnEvent.Failed failed ? failed.message() : "");
    }
  }

  /** No call outlives its root turn, whatever happened to it. */
  private void closeOpenCalls(Handle handle) {
    if (turn.lineage().depth() == 0 && !tools.isEmpty()) {
      OpenCalls.close(handle, services, turn.key().sessionId());
    }
  }

  private TurnEvent.Failed failure(ModelException e) {
    return switch (e.kind()) {
      case TIMEOUT -> new TurnEvent.Failed(ErrorCode.MODEL_TIMEOUT, e.reason());
      case CANCELLED -> {
        TurnControl.Ending why = turn.control().ending();
        if (why == null || !why.isFinal()) {
          throw new TurnStopped();
        }
        yield TurnFailure.of(why).event();
      }
      case CONNECTION, UNAVAILABLE, REFUSED, MALFORMED ->
          new TurnEvent.Failed(ErrorCode.MODEL_ERROR, e.reason());
    };
  }

  private void count(TurnStatus outcome) {
    services.metrics().turnEnded(agent.name(), outcome, System.nanoTime() - startedNanos);
  }

  /** Puts what the model says into the journal as it comes. */
  private final class Relay implements ModelListener {
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
}
