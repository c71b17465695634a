package agentengine.config;

import agentengine.agent.Agent;
import agentengine.agent.AgentSpec;
import agentengine.agent.Agents;
import agentengine.agent.References;
import agentengine.error.FieldError;
import agentengine.json.Fields;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** The agents of a document. */
record AgentPart(Agents agents) implements Part<AgentSpec> {
  @Override
  public String key() {
    return "agents";
  }

  @Override
  public String kind() {
    return "agent";
  }

  @Override
  public AgentSpec read(String name, Fields fields) {
    return AgentSpec.read(name, fields);
  }

  @Override
  public Action action(Handle handle, AgentSpec wanted) {
    return agents
        .find(handle, wanted.name())
        .map(stored -> stored.spec().equals(wanted) ? Action.UNCHANGED : Action.UPDATE)
        .orElse(Action.CREATE);
  }

  @Override
  public void write(Handle handle, String actor, AgentSpec agent) {
    agents.put(handle, actor, agent);
  }

  @Override
  public List<FieldError> danglingReferences(Handle handle, AgentSpec agent) {
    return References.problems(handle, agent);
  }

  @Override
  public SortedMap<String, Entry> stored(Handle handle) {
    ObjectNode defaults = read("", Fields.of(Json.object(), "agents", new ArrayList<>())).toJson();
    SortedMap<String, Entry> entries = new TreeMap<>();
    for (Agent agent : Agents.list(handle)) {
      ObjectNode fields = agent.spec().toJson();
      fields.remove("name");
      entries.put(agent.spec().name(), new Entry(fields, defaults));
    }
    return entries;
  }
}
