package agentengine.turn;

import agentengine.agent.Agent;
import agentengine.agent.Agents;
import agentengine.agent.Schema;
import agentengine.agent.Schemas;
import agentengine.error.EngineException;
import agentengine.model.DefinitionChanges;
import agentengine.model.ModelRecord;
import agentengine.model.Models;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jdbi.v3.core.Handle;

/** Who plays in a turn: reads definitions, and keeps them for as long as none was changed. */
public final class Casts {
  /** An agent with the model it calls. */
  record Cast(Agent agent, ModelRecord model) {}

  private final Schemas schemas;
  private final Agents agents;
  private final Models models;
  private volatile View latest = new View(-1);

  public Casts(Schemas schemas, Agents agents, Models models) {
    this.schemas = schemas;
    this.agents = agents;
    this.models = models;
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
                          .map(model -> new Cast(agent, model)));
      cast.ifPresent(found -> knownCasts.put(agentName, found));
      return cast;
    }
  }
}
