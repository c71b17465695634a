package agentengine.turn;

import agentengine.agent.Agent;
import agentengine.agent.AgentSpec;
import agentengine.agent.Agents;
import agentengine.agent.Schema;
import agentengine.agent.Schemas;
import agentengine.error.EngineException;
import agentengine.model.DefinitionChanges;
import agentengine.model.ModelRecord;
import agentengine.model.Models;
import agentengine.tool.Tool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;

/** Who plays in a turn: reads definitions, and keeps them for as long as none was changed. */
public final class Casts {
  /**
   * An agent with the model it calls and those that stand in for it, the tools it names and the
   * agents it may call.
   */
  record Cast(
      Agent agent,
      ModelRecord model,
      List<ModelRecord> fallbacks,
      List<Tool> tools,
      List<AgentSpec> subAgents) {}

  /** Where an agent's tools come from. */
  @FunctionalInterface
  public interface ToolSource {
    Optional<Tool> find(Handle handle, String name);
  }

  private final Schemas schemas;
  private final Agents agents;
  private final Models models;
  private final ToolSource tools;
  private volatile View latest = new View(-1);

  public Casts(Schemas schemas, Agents agents, Models models, ToolSource tools) {
    this.schemas = schemas;
    this.agents = agents;
    this.models = models;
    this.tools = tools;
  }

  /** The definitions as they are now. */
  View view(Handle handle) {
    // Read before what it vouches for: a change in between only costs another read.
    long changes = DefinitionChanges.count(handle);
    View view = latest;
    if (view.changes != changes) {
      view = new View(changes);
      latest = view;
    }
    return view;
  }

  /** Definitions between two changes; each is read once. */
  final class View {
    private final long changes;
    private final Map<String, Schema> knownSchemas = new ConcurrentHashMap<>();
    private final Map<String, Cast> knownCasts = new ConcurrentHashMap<>();

    private View(long changes) {
      this.changes = changes;
    }

    Schema schema(Handle handle, String name) {
      Schema schema = knownSchemas.get(name);
      if (schema == null) {
        schema =
            schemas.find(handle, name).orElseThrow(() -> EngineException.notFound("schema", name));
        knownSchemas.put(name, schema);
      }
      return schema;
    }

    /** The agent and its model, if both are still there. */
    Optional<Cast> cast(Handle handle, String agentName) {
      Cast kept = knownCasts.get(agentName);
      if (kept != null) {
        return Optional.of(kept);
      }
      Optional<Cast> cast =
          agents
              .find(handle, agentName)
              .flatMap(
                  agent ->
                      models
                          .find(handle, agent.spec().model())
                          .map(model -> cast(handle, agent, model)));
      cast.ifPresent(found -> knownCasts.put(agentName, found));
      return cast;
    }

    private Cast cast(Handle handle, Agent agent, ModelRecord model) {
      AgentSpec.Uses uses = agent.spec().uses();
      return new Cast(
          agent,
          model,
          fallbacks(handle, agent.spec()),
          uses.tools().stream().flatMap(name -> tools.find(handle, name).stream()).toList(),
          uses.canSpawn().stream()
              .flatMap(name -> agents.find(handle, name).stream())
              .map(Agent::spec)
              .toList());
    }

    private List<ModelRecord> fallbacks(Handle handle, AgentSpec agent) {
      return agent.fallbackModels().stream()
          .distinct()
          .filter(name -> !name.equals(agent.model()))
          .flatMap(name -> models.find(handle, name).stream())
          .toList();
    }
  }
}
