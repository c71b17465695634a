package agentengine.turn;

import agentengine.agent.AgentSpec;
import agentengine.error.ErrorCode;
import agentengine.model.ModelAnswer;
import agentengine.model.ModelException;
import agentengine.model.ModelListener;
import agentengine.model.ModelRecord;
import agentengine.model.ModelRequest;
import agentengine.model.TokenEstimate;
import agentengine.model.ToolRequest;
import agentengine.session.History;
import agentengine.session.Message;
import agentengine.session.Messages;
import agentengine.session.SessionStatus;
import agentengine.time.Cancellation;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The loop of one attempt at a turn, on a virtual thread of its own: ask the model, commit what it
 * said, act on it, again. Clients hear of a durable event only after its commit, so what they saw
 * is what a restart finds.
 */
final class TurnRun implements Runnable {
  private static final Logger LOG = System.getLogger(TurnRun.class.getName());

  /** Why a turn is ended from outside. */
  enum Ending {
    CANCELLED,
    TIME_LIMIT,
    SHUTDOWN
  }

  /** Told when the thread is done, and whether the turn's end is in the store. */
  interface Finished {
    void finished(TurnRun run, boolean recorded);
  }

  private final TurnServices services;
  private final AgentSpec agent;
  private final ModelRecord model;
  private final TurnState state;
  private final TurnLog log;
  private final Finished finished;
  private final Cancellation cancellation = new Cancellation();
  private final long startedNanos = System.nanoTime();
  private volatile @Nullable Ending ending;

  TurnRun(TurnServices services, Casts.Cast cast, TurnState state, TurnLog log, Finished finished) {
    this.services = services;
    this.agent = cast.agent().spec();
    this.model = cast.model();
    this.state = state;
    this.log = log;
    this.finished = finished;
  }

  TurnLog log() {
    return log;
  }

  TurnKey key() {
    return state.key();
  }

  long ageNanos() {
    return System.nanoTime() - startedNanos;
  }

  /** Ends the turn from outside; the first reason counts. */
  synchronized void end(Ending why) {
    if (ending == null) {
      ending = why;
      cancellation.request();
    }
  }

  @Override
  public void run() {
    boolean recorded = false;
    try {
      recorded = runAndRecord();
    } catch (LostTurnException e) {
      LOG.log(Level.WARNING, e.getMessage());
    } catch (RuntimeException e) {
      // The store does not take the turn's end: it stays open there and is taken up again later.
      LOG.log(Level.ERROR, "the end of a turn could not be stored", e);
      tell(new TurnEvent.Failed(ErrorCode.INTERNAL_ERROR, "the store failed; the turn will go on"));
    } finally {
      log.end();
      finished.finished(this, recorded);
    }
  }

  private boolean runAndRecord() {
    try {
      ModelAnswer last = loop();
      stopIfEnded(); // who was told "cancelled" must not then be given an answer
      complete(last);
      count("completed");
      return true;
    } catch (TurnFailure e) {
      return recordFailure(e.event());
    } catch (ModelException e) {
      return recordFailure(failure(e));
    } catch (LostTurnException e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a turn failed", e);
      return recordFailure(
          new TurnEvent.Failed(ErrorCode.INTERNAL_ERROR, "the engine failed; see its log"));
    }
  }

  /** Asks the model and acts on its answers until it has nothing more to do; its last answer. */
  private ModelAnswer loop() {
    while (true) {
      stopIfEnded();
      if (state.steps() >= agent.maxSteps()) {
        throw new TurnFailure(
            ErrorCode.MAX_STEPS,
            "the agent used its " + agent.maxSteps() + " steps without coming to an end");
      }
      ModelAnswer answer = services.models().stream(model, request(), new Relay(), cancellation);
      state.count(answer);
      if (answer.toolRequests().isEmpty()) {
        return answer;
      }
      commitStep(answer);
    }
  }

  private ModelRequest request() {
    int budget = agent.maxContextSize() - TokenEstimate.ofMessage(agent.system());
    History history = History.of(state.conversation(), budget);
    if (history.size() > budget) {
      throw new TurnFailure(
          ErrorCode.CONTEXT_OVERFLOW,
          "the message does not fit into the agent's max_context_size of "
              + agent.maxContextSize()
              + " tokens");
    }
    AgentSpec.Sampling sampling = agent.sampling();
    return new ModelRequest(
        agent.system(),
        history.forModel(),
        new ModelRequest.Sampling(sampling.temperature(), sampling.topP(), sampling.maxTokens()));
  }

  /** Commits what the model said together with the results of the tools it asked for. */
  private void commitStep(ModelAnswer answer) {
    List<Message> messages = new ArrayList<>();
    List<TurnEvent> events = new ArrayList<>();
    add(messages, state.assistantMessage(services, answer));
    if (!answer.text().isEmpty()) {
      events.add(new TurnEvent.MessageComplete(answer.text()));
    }
    for (ToolRequest request : answer.toolRequests()) {
      String error = "the tool '" + request.tool() + "' does not exist";
      add(messages, state.toolMessage(services, request, "error: " + error));
      events.add(new TurnEvent.ToolReturned(request, "failed", null, error));
    }
    List<LoggedEvent> logged = logged(events);
    services
        .db()
        .write(
            handle -> {
              TurnStore.advance(handle, key(), state.steps(), state.tokens());
              messages.forEach(message -> Messages.insert(handle, key().sessionId(), message));
              logged.forEach(event -> TurnStore.insertEvent(handle, key().sessionId(), event));
              services
                  .sessions()
                  .advance(handle, key().sessionId(), messages.size(), SessionStatus.RUNNING);
              return null;
            });
    logged.forEach(log::append);
    log.wake();
  }

  private void add(List<Message> messages, Message message) {
    messages.add(message);
    state.conversation().add(message);
  }

  private void complete(ModelAnswer answer) {
    List<Message> messages = new ArrayList<>();
    List<TurnEvent> events = new ArrayList<>();
    if (!answer.text().isEmpty()) {
      add(messages, state.assistantMessage(services, answer));
      events.add(new TurnEvent.MessageComplete(answer.text()));
    } else if (!state.hasAnswered()) {
      throw new TurnFailure(ErrorCode.MODEL_ERROR, "the model gave an empty answer");
    }
    events.add(new TurnEvent.Done(key().sessionId(), state.tokens()));
    record(TurnStatus.COMPLETED, messages, events);
    services
        .conversations()
        .keep(
            key().sessionId(),
            History.of(state.conversation(), agent.maxContextSize()).messages(),
            agent.maxContextSize());
  }

  private boolean recordFailure(TurnEvent.Failed failure) {
    if (ending == Ending.SHUTDOWN) {
      // The turn is not over: the next start, or another node, carries on.
      return true;
    }
    TurnStatus status =
        failure.code() == ErrorCode.CANCELLED ? TurnStatus.CANCELLED : TurnStatus.FAILED;
    record(status, List.of(), List.of(failure));
    count(status == TurnStatus.CANCELLED ? "cancelled" : "failed");
    return true;
  }

  /** The end is one transaction: the final message, the counts, the status and the last events. */
  private void record(TurnStatus status, List<Message> messages, List<TurnEvent> events) {
    List<LoggedEvent> logged = logged(events);
    String sessionId = key().sessionId();
    services
        .db()
        .write(
            handle -> {
              TurnStore.finish(
                  handle, key(), status, state.steps(), state.tokens(), services.clock().millis());
              messages.forEach(message -> Messages.insert(handle, sessionId, message));
              logged.forEach(event -> TurnStore.insertEvent(handle, sessionId, event));
              services.sessions().advance(handle, sessionId, messages.size(), SessionStatus.IDLE);
              return null;
            });
    logged.forEach(log::append);
  }

  private List<LoggedEvent> logged(List<TurnEvent> events) {
    return events.stream().map(event -> new LoggedEvent(state.nextEventId(), event)).toList();
  }

  private void tell(TurnEvent event) {
    log.append(new LoggedEvent(state.nextEventId(), event));
  }

  private void stopIfEnded() {
    if (cancellation.isRequested()) {
      throw new ModelException(ModelException.Kind.CANCELLED, "cancelled");
    }
  }

  private TurnEvent.Failed failure(ModelException e) {
    return switch (e.kind()) {
      case TIMEOUT -> new TurnEvent.Failed(ErrorCode.MODEL_TIMEOUT, e.reason());
      case CANCELLED ->
          ending == Ending.TIME_LIMIT
              ? new TurnEvent.Failed(
                  ErrorCode.BUDGET_EXCEEDED, "the turn took longer than it may take")
              : new TurnEvent.Failed(ErrorCode.CANCELLED, "the turn was cancelled");
      case CONNECTION, UNAVAILABLE, REFUSED, MALFORMED ->
          new TurnEvent.Failed(ErrorCode.MODEL_ERROR, e.reason());
    };
  }

  private void count(String outcome) {
    services
        .meters()
        .counter("engine.turns", "agent", agent.name(), "outcome", outcome)
        .increment();
    services.meters().timer("engine.turn.duration").record(ageNanos(), TimeUnit.NANOSECONDS);
  }

  /** Puts what the model says into the log as it comes. */
  private final class Relay implements ModelListener {
    @Override
    public void thinking(String text) {
      tell(new TurnEvent.Thinking(text));
    }

    @Override
    public void text(String text) {
      tell(new TurnEvent.MessageDelta(text));
    }

    @Override
    public void pause() {
      log.wake();
    }
  }
}
