package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.auth.Caller;
import agentengine.db.NodeLease;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Json;
import agentengine.log.LogContext;
import agentengine.session.Session;
import agentengine.session.SessionStatus;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Accepts messages, runs their turns and lets clients follow, answer or cancel them. */
public final class Turns implements AutoCloseable {
  private static final Duration CANCEL_WAIT = Duration.ofSeconds(5);

  /** A message somebody sends: to a new session, or to one that is there. */
  public record NewMessage(
      String schema,
      @Nullable String sessionId,
      String text,
      IdempotencyKeys.@Nullable Claim idempotency) {

    /** The same message as a request that may be sent again under a key of its caller's. */
    public NewMessage sentUnder(Caller caller, String key, String bodyHash) {
      return new NewMessage(
          schema, sessionId, text, new IdempotencyKeys.Claim(caller.id(), key, bodyHash));
    }
  }

  /** An accepted message: its session, and the first reader of its turn. */
  public record Accepted(String sessionId, TurnReader reader) {}

  private final TurnServices services;
  private final NodeLease lease;
  private final Acceptance acceptance;
  private final Map<String, TurnRun> running = new ConcurrentHashMap<>();
  private final TurnKeeper keeper;
  private volatile boolean closed;

  public Turns(TurnServices services, NodeLease lease) {
    this.services = services;
    this.lease = lease;
    this.acceptance = new Acceptance(services, lease.id());
    this.keeper = new TurnKeeper(services, lease, this);
    services.meters().gaugeMapSize("engine.turns.running", List.of(), running);
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
      case Acceptance.Result.Before(IdempotencyKeys.First first) ->
          new Accepted(first.sessionId(), reader(first.sessionId(), first.turn(), null));
      case Acceptance.Result.Begun(TurnContext turn, TurnLog log) -> {
        try {
          launch(turn, log);
        } catch (RuntimeException e) {
          // The message is on disk: its turn must run, whatever this request's answer is.
          keeper.takeUpAgain(turn.key());
          throw e;
        }
        yield new Accepted(turn.key().sessionId(), log.readerAfter(null));
      }
    };
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
    Thread.ofVirtual().name("turn-" + sessionId).start(() -> LogContext.run(sessionId, run));
  }

  private void finished(TurnRun run, boolean settled) {
    running.remove(run.key().sessionId(), run);
    if (!settled) {
      keeper.takeUpAgain(run.key());
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

  /** The calls of a session, its sub-agents' included, that wait for a person. */
  public List<PendingCall> pending(String sessionId) {
    return services.db().read(handle -> services.ledger().undecided(handle, sessionId)).stream()
        .map(call -> new PendingCall(call.callId(), call.tool(), Json.parse(call.input())))
        .toList();
  }

  /**
   * Gives a person's word about a call that waits for it; the word is on disk when this returns.
   */
  public void respond(
      Caller caller, String sessionId, String callId, boolean approved, String reason) {
    ToolLedger.Decision decision =
        new ToolLedger.Decision(
            approved ? ToolLedger.Verdict.APPROVE : ToolLedger.Verdict.REJECT,
            reason.isBlank() ? null : reason,
            caller.id());
    services
        .db()
        .write(
            handle -> {
              decide(handle, caller, sessionId, callId, decision);
              return null;
            });
    services.gates().ring(callId);
  }

  private void decide(
      Handle handle, Caller caller, String sessionId, String callId, ToolLedger.Decision decision) {
    if (services.sessions().find(handle, caller, sessionId).isEmpty()) {
      throw EngineException.notFound("session", sessionId);
    }
    boolean asked =
        services
            .ledger()
            .find(handle, callId)
            .filter(entry -> entry.call().sessionId().equals(sessionId))
            .filter(entry -> entry.inputHash() != null)
            .isPresent();
    if (!asked) {
      throw EngineException.notFound("confirmation", callId);
    }
    if (!services.ledger().decide(handle, callId, decision)) {
      throw EngineException.conflict("the confirmation '" + callId + "' is no longer open");
    }
    noteWhetherWaiting(handle, services, sessionId);
  }

  /** A session waits as long as anybody is asked anything. */
  static void noteWhetherWaiting(Handle handle, TurnServices services, String sessionId) {
    boolean waits = !services.ledger().undecided(handle, sessionId).isEmpty();
    services
        .sessions()
        .setStatus(handle, sessionId, waits ? SessionStatus.WAITING : SessionStatus.RUNNING);
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
    TurnRun run = running.get(sessionId);
    if (run != null) {
      run.control().end(TurnControl.Ending.CANCELLED);
      awaitEnd(run, CANCEL_WAIT);
    }
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
