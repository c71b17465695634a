package agentengine.config;

import agentengine.agent.References;
import agentengine.agent.Schema;
import agentengine.agent.SchemaSpec;
import agentengine.agent.Schemas;
import agentengine.error.FieldError;
import agentengine.json.Fields;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jdbi.v3.core.Handle;

/** The schemas of a document. */
record SchemaPart(Schemas schemas) implements Part<SchemaSpec> {
  @Override
  public String key() {
    return "schemas";
  }

  @Override
  public String kind() {
    return "schema";
  }

  @Override
  public SchemaSpec read(String name, Fields fields) {
    return SchemaSpec.read(name, fields);
  }

  @Override
  public Action action(Handle handle, SchemaSpec wanted) {
    return schemas
        .find(handle, wanted.name())
        .map(stored -> stored.spec().equals(wanted) ? Action.UNCHANGED : Action.UPDATE)
        .orElse(Action.CREATE);
  }

  @Override
  public void write(Handle handle, String actor, SchemaSpec schema) {
    schemas.put(handle, actor, schema);
  }

  @Override
  public List<FieldError> danglingReferences(Handle handle, SchemaSpec schema) {
    return References.problems(handle, schema);
  }

  @Override
  public SortedMap<String, Entry> stored(Handle handle) {
    SortedMap<String, Entry> entries = new TreeMap<>();
    for (Schema schema : Schemas.list(handle)) {
      entries.put(schema.spec().name(), entry(schema.spec()));
    }
    return entries;
  }

  private static Entry entry(SchemaSpec schema) {
    ObjectNode fields = schema.toJson();
    fields.remove("name");
    // The entry agent is one of them without being named again.
    fields.set(
        "agents",
        Json.array(
            schema.agents().stream().filter(name -> !name.equals(schema.entryAgent())).toList()));
    ObjectNode defaults = Json.object().put("description", "").put("chat_enabled", false);
    defaults.putArray("agents");
    return new Entry(fields, defaults);
  }
}
