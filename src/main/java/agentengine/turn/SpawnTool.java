package agentengine.turn;

import agentengine.agent.AgentSpec;
import agentengine.agent.Lifecycle;
import agentengine.json.Json;
import agentengine.model.TokenEstimate;
import agentengine.model.ToolDefinition;
import agentengine.session.Message;
import agentengine.session.Messages;
import agentengine.session.Session;
import agentengine.session.SessionStatus;
import agentengine.tool.ArgumentRules;
import agentengine.tool.Effect;
import agentengine.tool.Tool;
import agentengine.tool.ToolFailure;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * Calls a sub-agent: a turn of its own, on the calling thread, in a session below the caller's. The
 * turn is tied to the call's id, so running the call again after a crash carries the turn on.
 */
final class SpawnTool implements Tool {
  private static final ObjectNode PARAMETERS =
      Json.parseObject(
          """
          {"type": "object",
           "properties": {"task": {"type": "string", "minLength": 1,
             "description": "what the sub-agent is to do, with all it needs to know"}},
           "required": ["task"], "additionalProperties": false}
          """);
  private static final ArgumentRules RULES = new ArgumentRules(PARAMETERS);
  private static final String PREFIX = "spawn_";

  private final TurnContext parent;
  private final TurnServices services;
  private final AgentSpec agent;

  SpawnTool(TurnContext parent, AgentSpec agent) {
    this.parent = parent;
    this.services = parent.services();
    this.agent = agent;
  }

  @Override
  public ToolDefinition definition() {
    String description =
        "Gives a task to the sub-agent '" + agent.name() + "' and returns its answer.";
    return new ToolDefinition(
        PREFIX + agent.name(),
        agent.description().isBlank() ? description : description + " " + agent.description(),
        PARAMETERS);
  }

  @Override
  public Effect effect() {
    return Effect.IDEMPOTENT;
  }

  @Override
  public @Nullable String problem(ObjectNode arguments) {
    return RULES.problem(arguments);
  }

  /** Whether a tool of this name calls a sub-agent, also when it was taken away meanwhile. */
  static boolean isNameOfOne(String tool) {
    return tool.startsWith(PREFIX);
  }

  /** Whether its calls continue one conversation, and so must not run side by side. */
  boolean keepsConversation() {
    return agent.lifecycle() == Lifecycle.PERSISTENT;
  }

  @Override
  public JsonNode run(String callId, ObjectNode arguments) throws ToolFailure {
    Lineage lineage = parent.lineage().below(agent.name());
    int maxDepth = services.limits().get().tools().spawnDepth();
    if (lineage.depth() > maxDepth) {
      throw new ToolFailure("sub-agents may call each other at most " + maxDepth + " deep");
    }
    String task = arguments.path("task").textValue();
    SubTurns.SubTurn turn =
        services
            .db()
            .write(
                handle -> {
                  TurnStore.advance(handle, parent.state());
                  return SubTurns.ofCall(handle, callId)
                      .map(left -> left.isOpen() ? SubTurns.claim(handle, left) : left)
                      .orElseGet(() -> begin(handle, callId, task));
                });
    TurnState state = state(turn);
    if (turn.isOpen()) {
      answerOrFail(loop(turn, state, lineage).run());
    } else {
      answerOrFail(recordedEnd(turn));
    }
    return TextNode.valueOf(state.answer());
  }

  private SubTurns.SubTurn begin(Handle handle, String callId, String task) {
    Instant now = services.clock().instant();
    Optional<Session> kept =
        keepsConversation()
            ? services.sessions().child(handle, parent.key().sessionId(), agent.name())
            : Optional.empty();
    Session session =
        kept.map(known -> services.sessions().beginTurn(handle, known.id()))
            .orElseGet(() -> newSession(handle, now));
    TurnKey key = new TurnKey(session.id(), session.turnCount(), 1);
    SubTurns.insert(
        handle, key, agent.name(), parent.lineage().userId(), callId, parent.key(), now);
    if (key.number() > 1) {
      TurnEvents.forgetBefore(handle, key);
    }
    Messages.insert(
        handle,
        session.id(),
        new Message(
            services.ids().next(),
            session.messageCount(),
            key.number(),
            Message.Role.USER,
            agent.name(),
            task,
            List.of(),
            null,
            null,
            TokenEstimate.ofMessage(task),
            now));
    return new SubTurns.SubTurn(key, TurnStatus.RUNNING, Spent.NOTHING);
  }

  private Session newSession(Handle handle, Instant now) {
    Session above = services.sessions().byId(handle, parent.key().sessionId());
    Session session =
        new Session(
            services.ids().next(),
            above.id(),
            above.schema(),
            agent.name(),
            above.owner(),
            SessionStatus.RUNNING,
            1,
            1,
            now);
    services.sessions().insert(handle, session);
    return session;
  }

  private TurnState state(SubTurns.SubTurn turn) {
    TurnKey key = turn.key();
    List<Message> conversation =
        services
            .conversations()
            .tailWithTurn(key.sessionId(), key.number(), agent.maxContextSize());
    return new TurnState(key, agent.name(), conversation, turn.spent());
  }

  private TurnLoop loop(SubTurns.SubTurn turn, TurnState state, Lineage lineage)
      throws ToolFailure {
    Optional<Casts.Cast> cast =
        services.db().read(handle -> services.casts().view(handle).cast(handle, agent.name()));
    if (cast.isEmpty()) {
      throw new ToolFailure("the sub-agent or its model was deleted");
    }
    Journal journal = new SubJournal(services.db(), parent.journal(), turn.key());
    return new TurnLoop(
        new TurnContext(
            services, cast.get(), state, lineage, journal, parent.control(), parent.override()));
  }

  /** How a turn ended whose answer was not yet noted when a crash came. */
  private TurnLoop.End recordedEnd(SubTurns.SubTurn turn) {
    List<LoggedEvent> events =
        services
            .db()
            .read(handle -> TurnEvents.of(handle, turn.key().sessionId(), turn.key().number()));
    return events.getLast().event() instanceof TurnEvent.Failed failure
        ? new TurnLoop.End.Failed(failure)
        : new TurnLoop.End.Completed();
  }

  private static void answerOrFail(TurnLoop.End end) throws ToolFailure {
    if (end instanceof TurnLoop.End.Failed(TurnEvent.Failed failure)) {
      throw new ToolFailure(
          "the sub-agent failed (" + failure.code().wireName() + "): " + failure.message());
    }
  }
}
