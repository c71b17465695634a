package agentengine.turn;

import agentengine.agent.Schema;
import agentengine.auth.Caller;
import agentengine.db.NodeLease;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.log.LogContext;
import agentengine.model.TokenEstimate;
import agentengine.session.Message;
import agentengine.session.Messages;
import agentengine.session.Session;
import agentengine.session.SessionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Accepts messages, runs their turns and lets clients follow or cancel them. */
public final class Turns implements AutoCloseable {
  private static final Duration CANCEL_WAIT = Duration.ofSeconds(5);

  /** A message somebody sends: to a new session, or to one that is there. */
  public record NewMessage(String schema, @Nullable String sessionId, String text) {}

  /** An accepted message: its session, and the first reader of its turn. */
  public record Accepted(String sessionId, TurnReader reader) {}

  /** Where a message lands: the session it continues, if any, and who answers. */
  private record Scene(@Nullable Session session, Casts.Cast cast) {}

  private final TurnServices services;
  private final Casts casts;
  private final NodeLease lease;
  private final Supplier<TurnLimits> limits;
  private final Map<String, TurnRun> running = new ConcurrentHashMap<>();
  private final TurnKeeper keeper;
  private volatile boolean closed;

  public Turns(TurnServices services, Casts casts, NodeLease lease, Supplier<TurnLimits> limits) {
    this.services = services;
    this.casts = casts;
    this.lease = lease;
    this.limits = limits;
    this.keeper = new TurnKeeper(services, casts, lease, this);
    services.meters().gaugeMapSize("engine.turns.running", List.of(), running);
  }

  /** Takes up what an earlier process left, and from now on what other nodes leave. */
  public void start() {
    keeper.start();
  }

  /** Takes a message: when this returns, it is on disk and its turn runs. */
  public Accepted accept(Caller caller, NewMessage message) {
    if (closed || running.size() >= limits.get().concurrentTurns()) {
      throw new EngineException(
          ErrorCode.OVERLOADED, "the engine has all the turns it can run; try again");
    }
    Scene scene = services.db().read(handle -> scene(handle, caller, message));
    Casts.Cast cast = scene.cast();
    Instant now = services.clock().instant();
    String agent = cast.agent().spec().name();
    String messageId = services.ids().next();
    Session session =
        services.db().write(handle -> begin(handle, caller, message, messageId, scene, now));
    TurnKey key = new TurnKey(session.id(), session.turnCount(), 1);
    Message userMessage = userMessage(session, agent, messageId, message.text(), now);
    try {
      TurnRun run = launch(cast, firstState(key, cast, userMessage), new TurnLog());
      return new Accepted(session.id(), run.log().readerAfter(null));
    } catch (RuntimeException e) {
      // The message is on disk: its turn must run, whatever this request's answer is.
      keeper.takeUpAgain(key);
      throw e;
    }
  }

  private TurnState firstState(TurnKey key, Casts.Cast cast, Message userMessage) {
    List<Message> earlier =
        services
            .conversations()
            .tail(
                key.sessionId(), userMessage.position() - 1, cast.agent().spec().maxContextSize());
    TurnState state = new TurnState(key, userMessage.agent(), earlier, 0, 0);
    state.conversation().add(userMessage);
    return state;
  }

  private Scene scene(Handle handle, Caller caller, NewMessage message) {
    Casts.View view = casts.view(handle);
    Schema schema = view.schema(handle, message.schema());
    if (!schema.spec().chatEnabled()) {
      throw new EngineException(
          ErrorCode.CHAT_DISABLED,
          "chat is off for schema '" + message.schema() + "'; set its chat_enabled to true");
    }
    Session session = session(handle, caller, message);
    String agent = session == null ? schema.spec().entryAgent() : session.agent();
    return new Scene(
        session,
        view.cast(handle, agent).orElseThrow(() -> EngineException.notFound("agent", agent)));
  }

  private @Nullable Session session(Handle handle, Caller caller, NewMessage message) {
    String id = message.sessionId();
    if (id == null) {
      return null;
    }
    Session session =
        services
            .sessions()
            .find(handle, caller, id)
            .orElseThrow(() -> EngineException.notFound("session", id));
    if (!session.schema().equals(message.schema())) {
      throw EngineException.invalid(
          "session_id", "session '" + id + "' belongs to schema '" + session.schema() + "'");
    }
    return session;
  }

  /** Accepting is one transaction: the session's claim, the turn, the user's message. */
  private Session begin(
      Handle handle,
      Caller caller,
      NewMessage message,
      String messageId,
      Scene scene,
      Instant now) {
    String agent = scene.cast().agent().spec().name();
    Session session;
    if (scene.session() == null) {
      session =
          new Session(
              services.ids().next(),
              message.schema(),
              agent,
              caller.id(),
              SessionStatus.RUNNING,
              1,
              1,
              now);
      services.sessions().insert(handle, session);
    } else {
      session = services.sessions().beginTurn(handle, scene.session().id());
    }
    TurnKey key = new TurnKey(session.id(), session.turnCount(), 1);
    TurnStore.insert(handle, key, agent, lease.id(), now.toEpochMilli());
    if (key.number() > 1) {
      TurnStore.forgetEventsBefore(handle, key);
    }
    Messages.insert(
        handle, session.id(), userMessage(session, agent, messageId, message.text(), now));
    return session;
  }

  private static Message userMessage(
      Session session, String agent, String messageId, String text, Instant now) {
    return new Message(
        messageId,
        session.messageCount(),
        session.turnCount(),
        Message.Role.USER,
        agent,
        text,
        List.of(),
        null,
        null,
        TokenEstimate.ofMessage(text),
        now);
  }

  /** Starts the thread of a turn that is ours. */
  TurnRun launch(Casts.Cast cast, TurnState state, TurnLog log) {
    TurnRun run = new TurnRun(services, cast, state, log, this::finished);
    running.put(state.key().sessionId(), run);
    Thread.ofVirtual()
        .name("turn-" + state.key().sessionId())
        .start(() -> LogContext.run(state.key().sessionId(), run));
    return run;
  }

  private void finished(TurnRun run, boolean recorded) {
    running.remove(run.key().sessionId(), run);
    if (!recorded) {
      keeper.takeUpAgain(run.key());
    }
  }

  /** Follows the session's last turn: the running one, or a replay of the one that ended. */
  public TurnReader attach(Caller caller, String sessionId, @Nullable EventId last) {
    Session session = services.sessions().get(caller, sessionId);
    TurnRun run = running.get(sessionId);
    if (run != null) {
      return run.log().readerAfter(ofTurn(last, run.key().number()));
    }
    return new StoredTurn(services, sessionId, session.turnCount())
        .reader(ofTurn(last, session.turnCount()));
  }

  /** A last id of another turn says nothing about this one. */
  private static @Nullable EventId ofTurn(@Nullable EventId last, int turn) {
    return last != null && last.turn() == turn ? last : null;
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
      run.end(TurnRun.Ending.CANCELLED);
      awaitEnd(run);
    }
  }

  private static void awaitEnd(TurnRun run) {
    try {
      boolean _ = run.log().awaitEnd(CANCEL_WAIT);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  Map<String, TurnRun> running() {
    return running;
  }

  TurnLimits limits() {
    return limits.get();
  }

  /** Waits for the running turns, at most as long as given. */
  public void drain(Duration grace) {
    long deadline = System.nanoTime() + grace.toNanos();
    for (TurnRun run : running.values()) {
      try {
        boolean _ = run.log().awaitEnd(Duration.ofNanos(deadline - System.nanoTime()));
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  /** Stops taking messages; what still runs is left as it is in the store, to be taken up later. */
  @Override
  public void close() {
    closed = true;
    keeper.close();
    running.values().forEach(run -> run.end(TurnRun.Ending.SHUTDOWN));
    drain(CANCEL_WAIT);
    lease.release();
  }
}
