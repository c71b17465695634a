package agentengine.task;

import agentengine.agent.AgentSpec;
import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.json.Json;
import agentengine.model.ToolDefinition;
import agentengine.tool.ArgumentRules;
import agentengine.tool.BuiltInTools;
import agentengine.tool.Effect;
import agentengine.tool.Tool;
import agentengine.tool.ToolFailure;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Lets an agent make a task, for itself or an agent it may call, in the name of the person it works
 * for. The task has the call's id, so that running the call again after a crash makes no second
 * one.
 */
final class CreateTaskTool implements Tool {
  static final String NAME = BuiltInTools.CREATE_TASK;

  private final Database db;
  private final TaskMaking making;
  private final String owner;
  private final AgentSpec agent;
  private final ObjectNode parameters;
  private final ArgumentRules rules;

  CreateTaskTool(Database db, TaskMaking making, String owner, AgentSpec agent) {
    this.db = db;
    this.making = making;
    this.owner = owner;
    this.agent = agent;
    this.parameters = parameters(agent);
    this.rules = new ArgumentRules(parameters);
  }

  private static ObjectNode parameters(AgentSpec agent) {
    ObjectNode schema =
        Json.parseObject(
            """
            {"type": "object",
             "properties": {
               "agent": {"type": "string", "description": "who is to do it"},
               "title": {"type": "string", "minLength": 1, "maxLength": 500},
               "description": {"type": "string", "maxLength": 100000}},
             "required": ["title"], "additionalProperties": false}
            """);
    ObjectNode who = (ObjectNode) schema.path("properties").path("agent");
    Stream.concat(Stream.of(agent.name()), agent.uses().canSpawn().stream())
        .distinct()
        .forEach(who.withArray("enum")::add);
    return schema;
  }

  @Override
  public ToolDefinition definition() {
    return new ToolDefinition(
        NAME, "Starts a task that is worked on in the background; returns its id.", parameters);
  }

  @Override
  public Effect effect() {
    return Effect.IDEMPOTENT;
  }

  @Override
  public @Nullable String problem(ObjectNode arguments) {
    return rules.problem(arguments);
  }

  @Override
  public JsonNode run(String callId, ObjectNode arguments) throws ToolFailure {
    String id = callId.substring("call_".length());
    TaskMaking.Wish wish =
        new TaskMaking.Wish(
            owner,
            arguments.path("agent").asText(agent.name()),
            arguments.path("title").textValue(),
            arguments.path("description").asText(""));
    try {
      db.write(
          handle -> {
            if (!making.isMade(handle, id)) {
              making.make(handle, id, wish);
            }
            return null;
          });
    } catch (EngineException e) {
      throw new ToolFailure(e.reason());
    }
    return Json.object().put("task_id", id);
  }
}
