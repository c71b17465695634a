package agentengine.turn;

import agentengine.agent.AgentSpec;
import agentengine.db.StoreUnavailable;
import agentengine.error.ErrorCode;
import agentengine.model.ModelAnswer;
import agentengine.model.Served;
import agentengine.session.History;
import agentengine.session.Message;
import agentengine.session.Messages;
import agentengine.session.Origin;
import agentengine.trace.NoTracing;
import agentengine.trace.Span;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

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
    TurnKey key = turn.key();
    Span span =
        services
            .tracing()
            .turn(
                agent.name(),
                key.sessionId(),
                key.number(),
                key.attempt(),
                turn.lineage().taskId());
    return span == NoTracing.OFF ? untraced() : span.around(this::untraced, TurnLoop::problem);
  }

  private static @Nullable String problem(End end) {
    return end instanceof End.Failed(TurnEvent.Failed failure) ? failure.code().wireName() : null;
  }

  private End untraced() {
    try {
      loop();
      count(TurnStatus.COMPLETED);
      return new End.Completed();
    } catch (TurnFailure e) {
      return fail(e.event());
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
      if (state.spent().steps() >= agent.maxSteps()) {
        throw new TurnFailure(
            ErrorCode.MAX_STEPS,
            "the agent used its " + agent.maxSteps() + " steps without coming to an end");
      }
      Served served = new ModelStep(turn, tools).run();
      ModelAnswer answer = served.answer();
      Origin origin = Origin.of(served, services.prices().cost(served.by(), answer.usage()));
      state.count(origin);
      if (answer.toolRequests().isEmpty()) {
        complete(answer, origin);
        return;
      }
      over = ToolStep.begin(turn, door, answer, origin).run();
    }
    // The agent showed something, and that was its last word.
    turn.control().stopIfEnded();
    record(TurnStatus.COMPLETED, List.of(), List.of(done()));
  }

  private void complete(ModelAnswer answer, Origin origin) {
    turn.control().stopIfEnded(); // who was told "cancelled" must not then be given an answer
    if (answer.text().isEmpty()) {
      if (!state.hasAnswered()) {
        throw new TurnFailure(ErrorCode.MODEL_ERROR, "the model gave an empty answer");
      }
      record(TurnStatus.COMPLETED, List.of(), List.of(done()));
      return;
    }
    Message last = state.assistantMessage(services, answer, origin);
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
    return new TurnEvent.Done(turn.key().sessionId(), spent().tokens());
  }

  /** All that the turn took: itself, and the sub-agents it called. */
  private Spent spent() {
    return turn.cast().subAgents().isEmpty()
        ? state.spent()
        : state
            .spent()
            .withBelow(services.db().read(handle -> SubTurns.spentBelow(handle, turn.key())));
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
    Spent spent = spent();
    turn.journal()
        .commit(
            events,
            handle -> {
              TurnStore.finish(handle, turn.key(), status, spent, services.clock().millis());
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

  private void count(TurnStatus outcome) {
    services.metrics().turnEnded(agent.name(), outcome, System.nanoTime() - startedNanos);
  }
}
