package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.auth.Caller;
import agentengine.db.NodeLease;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.log.LogContext;
import agentengine.session.Session;
import agentengine.trace.Tracing;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Accepts messages, runs their turns and lets clients follow, answer or cancel them. */
public final class Turns implements AutoCloseable {
  private static final Duration CANCEL_WAIT = Duration.ofSeconds(5);

  /**
   * A message somebody sends: to a new session, or to one that is there; maybe with a model.
   *
   * @param traceparent the header that says which trace the turn is part of, if it came
   */
  public record NewMessage(
      String schema,
      @Nullable String sessionId,
      String text,
      IdempotencyKeys.@Nullable Claim idempotency,
      @Nullable ModelOverride override,
      @Nullable String traceparent) {}

  /** An accepted message: its session, and the first reader of its turn. */
  public record Accepted(String sessionId, TurnReader reader) {}

  private final TurnServices services;
  private final NodeLease lease;
  private final Acceptance acceptance;
  private final Answers answers;
  private final Map<String, TurnRun> running = new ConcurrentHashMap<>();
  private final TurnKeeper keeper;
  private volatile boolean closed;

  public Turns(TurnServices services, NodeLease lease) {
    this.services = services;
    this.lease = lease;
    this.acceptance = new Acceptance(services, lease.id());
    this.answers = new Answers(services);
    this.keeper = new TurnKeeper(services, lease, this);
    services.metrics().showRunning(running);
  }

  /** Takes up what an earlier process left, and from now on what other nodes leave. */
  public void start() {
    keeper.start();
  }

  /** Takes a message: when this returns, it is on disk and its turn runs. */
  public Accepted accept(Caller caller, NewMessage message) {
    if (closed || atWork() >= services.limits().get().concurrentTurns()) {
      throw new EngineException(
          ErrorCode.OVERLOADED, "the engine has all the turns it can run; try again");
    }
    return switch (acceptance.accept(caller, message)) {
      case Acceptance.Result.Before(IdempotencyKeys.First first) -> again(first);
      case Acceptance.Result.Begun(TurnContext turn, TurnLog log) -> {
        services.tracing().continued(message.traceparent(), () -> run(turn, log));
        yield new Accepted(turn.key().sessionId(), log.readerAfter(null));
      }
    };
  }

  /** The turn that the same request started before. */
  private Accepted again(IdempotencyKeys.First first) {
    String sessionId = first.sessionId();
    if (sessionId == null) {
      throw EngineException.conflict("this Idempotency-Key came with another request before");
    }
    return new Accepted(sessionId, reader(sessionId, first.turn(), null));
  }

  /** Runs what was accepted: it is on disk, and so it must run, whatever this call's end is. */
  private void run(TurnContext turn, TurnLog log) {
    try {
      launch(turn, log);
    } catch (RuntimeException e) {
      keeper.takeUpAgain(turn);
      throw e;
    }
  }

  /** Turns that wait for a person cost next to nothing, and do not count; a full engine looks. */
  private long atWork() {
    return running.size() < services.limits().get().concurrentTurns()
        ? running.size()
        : running.values().stream().filter(run -> !run.control().isWaiting()).count();
  }

  /** Starts the thread of a turn that is ours. */
  void launch(TurnContext turn, TurnLog log) {
    TurnRun run = new TurnRun(turn, log, this::finished);
    String sessionId = turn.key().sessionId();
    running.put(sessionId, run);
    Thread.ofVirtual()
        .name("turn-" + sessionId)
        .start(Tracing.carried(() -> LogContext.run(sessionId, run)));
  }

  private void finished(TurnRun run, boolean settled) {
    running.remove(run.key().sessionId(), run);
    if (!settled) {
      keeper.takeUpAgain(run.turn());
    }
  }

  /** Follows the session's last turn: the running one, or a replay of the one that ended. */
  public TurnReader attach(Caller caller, String sessionId, @Nullable EventId last) {
    Session session = services.sessions().get(caller, sessionId);
    return reader(sessionId, session.turnCount(), last);
  }

  /** A last id of another turn says nothing about this one. */
  private TurnReader reader(String sessionId, int turn, @Nullable EventId last) {
    EventId after = last != null && last.turn() == turn ? last : null;
    TurnRun run = running.get(sessionId);
    return run != null && run.key().number() == turn
        ? run.log().readerAfter(after)
        : new StoredTurn(services, sessionId, turn).reader(after);
  }

  /** What the session's running turn has used so far. */
  public int tokensSoFar(String sessionId) {
    TurnRun run = running.get(sessionId);
    return run == null ? 0 : run.tokens();
  }

  /** What the turns of a session took, and of those below it, by their ids. */
  public Map<String, SessionUsage> usage(String sessionId) {
    return services.db().read(handle -> SessionUsage.below(handle, sessionId));
  }

  /** The calls of a session, its sub-agents' included, that wait for a person. */
  public List<PendingCall> pending(String sessionId) {
    return answers.pending(sessionId);
  }

  /** Approves or rejects a call that waits for it; the word is on disk when this returns. */
  public void respond(
      Caller caller, String sessionId, String callId, boolean approved, String reason) {
    services.sessions().get(caller, sessionId);
    answers.give(
        sessionId,
        callId,
        new ToolLedger.Decision(
            approved ? ToolLedger.Verdict.APPROVE : ToolLedger.Verdict.REJECT,
            reason.isBlank() ? null : reason,
            caller.id()));
  }

  /** Answers a question that a task's agent asked. */
  public void answer(Caller caller, String sessionId, String callId, String words) {
    services.sessions().get(caller, sessionId);
    answers.give(
        sessionId, callId, new ToolLedger.Decision(ToolLedger.Verdict.ANSWER, words, caller.id()));
  }

  /** A task's work as a turn of an agent. */
  public record TaskTurn(String taskId, String owner, String agent, String text) {}

  /** What is written together with a task's turn; it may refuse. */
  @FunctionalInterface
  public interface TaskStart {
    void begin(Handle handle, String sessionId);
  }

  /** Starts a task's turn: both starts are one transaction. */
  public void startTask(TaskTurn task, TaskStart start) {
    Acceptance.Result.Begun begun = acceptance.acceptTask(task, start);
    run(begun.turn(), begun.log());
  }

  /** Whether a session's turn is under way in this process, and not only waiting for a person. */
  public boolean isAtWork(String sessionId) {
    TurnRun run = running.get(sessionId);
    return run != null && !run.control().isWaiting();
  }

  /** Notes, inside the caller's transaction, that a session's turn is to end. */
  public void requestCancel(Handle handle, String sessionId) {
    boolean _ = TurnStore.requestCancel(handle, sessionId, services.clock().millis());
  }

  /** Ends a turn that was requested to, if it runs here. */
  public void endCancelled(String sessionId) {
    TurnRun run = running.get(sessionId);
    if (run != null) {
      run.control().end(TurnControl.Ending.CANCELLED);
      awaitEnd(run, CANCEL_WAIT);
    }
  }

  /** Ends the session's turn; when this returns, a turn that ran on this node is over. */
  public void cancel(Caller caller, String sessionId) {
    services.sessions().get(caller, sessionId);
    boolean requested =
        services
            .db()
            .write(handle -> TurnStore.requestCancel(handle, sessionId, services.clock().millis()));
    if (!requested) {
      throw EngineException.conflict("session '" + sessionId + "' has no turn to cancel");
    }
    endCancelled(sessionId);
  }

  private static boolean awaitEnd(TurnRun run, Duration wait) {
    try {
      return run.log().awaitEnd(wait);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  Map<String, TurnRun> running() {
    return running;
  }

  TurnLimits limits() {
    return services.limits().get();
  }

  /** Waits for the turns that are at work, at most as long as given. */
  public void drain(Duration grace) {
    long deadline = System.nanoTime() + grace.toNanos();
    running.values().stream()
        .filter(run -> !run.control().isWaiting())
        .forEach(run -> awaitEnd(run, Duration.ofNanos(deadline - System.nanoTime())));
  }

  /** Stops taking messages; what still runs is left as it is in the store, to be taken up later. */
  @Override
  public void close() {
    closed = true;
    keeper.close();
    running.values().forEach(run -> run.control().end(TurnControl.Ending.SHUTDOWN));
    long deadline = System.nanoTime() + CANCEL_WAIT.toNanos();
    running.values().forEach(run -> awaitEnd(run, Duration.ofNanos(deadline - System.nanoTime())));
    lease.release();
  }
}
