package agentengine.agent;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.json.TextRules;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A named entry point: which agent a client talks to, and whether chat is on. */
public record SchemaSpec(
    String name, String description, String entryAgent, List<String> agents, boolean chatEnabled) {

  private static final int MAX_DESCRIPTION = 2_000;
  private static final int MAX_AGENTS = 200;

  /** Reads the fields beside the name; the entry agent is always one of the agents. */
  public static SchemaSpec read(String name, Fields fields) {
    String entryAgent = fields.requiredString("entry_agent", TextRules.MAX_NAME);
    Set<String> agents = new LinkedHashSet<>();
    agents.add(entryAgent);
    agents.addAll(fields.strings("agents", MAX_AGENTS, TextRules.MAX_NAME));
    return new SchemaSpec(
        name,
        fields.string("description", "", MAX_DESCRIPTION),
        entryAgent,
        List.copyOf(agents),
        fields.bool("chat_enabled", false));
  }

  /** The definition with the API's field names; {@link #read} takes it back. */
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    json.put("name", name);
    json.put("description", description);
    json.put("entry_agent", entryAgent);
    json.set("agents", Json.array(agents));
    json.put("chat_enabled", chatEnabled);
    return json;
  }
}
