package agentengine.turn;

import agentengine.agent.Schema;
import agentengine.auth.Caller;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.model.ModelRecord;
import agentengine.model.TokenEstimate;
import agentengine.session.Message;
import agentengine.session.Messages;
import agentengine.session.Session;
import agentengine.session.SessionStatus;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Takes a message into the store: the session's claim, the turn and the message, all at once. */
final class Acceptance {
  /** What became of a message: a turn to run, or the one that the same request started before. */
  sealed interface Result {
    record Begun(TurnContext turn, TurnLog log) implements Result {}

    record Before(IdempotencyKeys.First first) implements Result {}
  }

  /** Where a message lands: the session it continues, if any, who answers, and with what. */
  private record Scene(
      @Nullable Session session, Casts.Cast cast, @Nullable ModelRecord override) {}

  /** A message that landed, and the session as it is then. */
  private record Taken(Scene scene, Session session) {}

  private final TurnServices services;
  private final String node;

  Acceptance(TurnServices services, String node) {
    this.services = services;
    this.node = node;
  }

  Result accept(Caller caller, Turns.NewMessage message) {
    if (message.idempotency() != null) {
      Optional<IdempotencyKeys.First> first = first(message.idempotency());
      if (first.isPresent()) {
        return new Result.Before(first.get());
      }
    }
    Instant now = services.clock().instant();
    String messageId = services.ids().next();
    Taken taken;
    try {
      taken = services.db().write(handle -> take(handle, caller, message, messageId, now));
    } catch (SentTwice e) {
      return new Result.Before(first(e.claim).orElseThrow(() -> e));
    }
    Scene scene = taken.scene();
    Session session = taken.session();
    String agent = scene.cast().agent().spec().name();
    TurnKey key = new TurnKey(session.id(), session.turnCount(), 1);
    TurnLog log = new TurnLog();
    return new Result.Begun(
        new TurnContext(
            services,
            scene.cast(),
            firstState(
                key, scene.cast(), userMessage(session, agent, messageId, message.text(), now)),
            Lineage.root(session.id(), caller.id(), null, agent),
            new RootJournal(services.db(), key, log),
            new TurnControl(),
            scene.override()),
        log);
  }

  /** Takes up a task: a session of its own, with the work as the message of its only turn. */
  Result.Begun acceptTask(Turns.TaskTurn task, Turns.TaskStart start) {
    String agent = task.agent();
    Casts.Cast cast =
        services
            .db()
            .read(handle -> services.casts().view(handle).cast(handle, agent))
            .orElseThrow(() -> EngineException.notFound("agent", agent));
    Instant now = services.clock().instant();
    Session session =
        new Session(
            services.ids().next(), null, "", agent, task.owner(), SessionStatus.RUNNING, 1, 1, now);
    Message message = userMessage(session, agent, services.ids().next(), task.text(), now);
    TurnKey key = new TurnKey(session.id(), 1, 1);
    services
        .db()
        .write(
            handle -> {
              services.sessions().insert(handle, session);
              start.begin(handle, session.id());
              TurnStore.insert(
                  handle, key, agent, task.owner(), task.taskId(), node, false, now.toEpochMilli());
              Messages.insert(handle, session.id(), message);
              return null;
            });
    TurnLog log = new TurnLog();
    TurnState state = new TurnState(key, agent, List.of(message), Spent.NOTHING);
    return new Result.Begun(
        new TurnContext(
            services,
            cast,
            state,
            Lineage.root(session.id(), task.owner(), task.taskId(), agent),
            new RootJournal(services.db(), key, log),
            new TurnControl(),
            null),
        log);
  }

  private Optional<IdempotencyKeys.First> first(IdempotencyKeys.Claim claim) {
    return services
        .db()
        .read(handle -> IdempotencyKeys.first(handle, claim, services.clock().millis()));
  }

  private TurnState firstState(TurnKey key, Casts.Cast cast, Message userMessage) {
    List<Message> earlier =
        services
            .conversations()
            .tail(
                key.sessionId(), userMessage.position() - 1, cast.agent().spec().maxContextSize());
    TurnState state = new TurnState(key, userMessage.agent(), earlier, Spent.NOTHING);
    state.conversation().add(userMessage);
    return state;
  }

  /** Looks and writes in one go: what was looked up holds, and the store is visited once. */
  private Taken take(
      Handle handle, Caller caller, Turns.NewMessage message, String messageId, Instant now) {
    Scene scene = scene(handle, caller, message);
    return new Taken(scene, begin(handle, caller, message, messageId, scene, now));
  }

  private Scene scene(Handle handle, Caller caller, Turns.NewMessage message) {
    Casts.View view = services.casts().view(handle);
    Schema schema = view.schema(handle, message.schema());
    if (!schema.spec().chatEnabled()) {
      throw new EngineException(
          ErrorCode.CHAT_DISABLED,
          "chat is off for schema '" + message.schema() + "'; set its chat_enabled to true");
    }
    Session session = session(handle, caller, message);
    String agent = session == null ? schema.spec().entryAgent() : session.agent();
    Casts.Cast cast =
        view.cast(handle, agent).orElseThrow(() -> EngineException.notFound("agent", agent));
    ModelOverride brought = message.override();
    return new Scene(session, cast, brought == null ? null : brought.insteadOf(cast.model()));
  }

  private @Nullable Session session(Handle handle, Caller caller, Turns.NewMessage message) {
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

  private Session begin(
      Handle handle,
      Caller caller,
      Turns.NewMessage message,
      String messageId,
      Scene scene,
      Instant now) {
    String agent = scene.cast().agent().spec().name();
    Session session;
    if (scene.session() == null) {
      session =
          new Session(
              services.ids().next(),
              null,
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
    IdempotencyKeys.Claim claim = message.idempotency();
    if (claim != null
        && !IdempotencyKeys.claim(
            handle, claim, IdempotencyKeys.First.turn(key), now.toEpochMilli())) {
      throw new SentTwice(claim);
    }
    boolean overridden = scene.override() != null;
    TurnStore.insert(handle, key, agent, caller.id(), null, node, overridden, now.toEpochMilli());
    if (key.number() > 1) {
      TurnEvents.forgetBefore(handle, key);
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

  /** The same request came twice at once, and the other one was faster. */
  private static final class SentTwice extends RuntimeException {
    private final transient IdempotencyKeys.Claim claim;

    SentTwice(IdempotencyKeys.Claim claim) {
      super("sent twice", null, false, false);
      this.claim = claim;
    }
  }
}
