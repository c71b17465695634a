package agentengine.agent;

import agentengine.error.FieldError;
import agentengine.tool.BuiltInTools;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jdbi.v3.core.Handle;

/** Checks that what a definition names is there. */
public final class References {
  private References() {}

  /** What an agent names that does not exist, as seen inside the caller's transaction. */
  public static List<FieldError> problems(Handle handle, AgentSpec agent) {
    List<FieldError> problems = new ArrayList<>();
    AgentSpec.Uses uses = agent.uses();
    Predicate<String> models = name -> exists(handle, "model", name);
    Predicate<String> agents = name -> name.equals(agent.name()) || exists(handle, "agent", name);
    Predicate<String> tools =
        name -> BuiltInTools.names().contains(name) || exists(handle, "tool", name);
    missing(problems, "model", "model", List.of(agent.model()), models);
    missing(problems, "fallback_models", "model", agent.fallbackModels(), models);
    missing(problems, "can_spawn", "agent", uses.canSpawn(), agents);
    missing(problems, "tools", "tool", uses.tools(), tools);
    missing(problems, "mcp_servers", "MCP server", uses.mcpServers(), _ -> false);
    missing(problems, "knowledge", "knowledge base", uses.knowledge(), _ -> false);
    missing(
        problems,
        "confirm_before",
        "tool of this agent",
        uses.confirmBefore(),
        tool -> uses.tools().contains(tool) || spawns(uses, tool));
    return problems;
  }

  /** What a schema names that does not exist. */
  public static List<FieldError> problems(Handle handle, SchemaSpec schema) {
    List<FieldError> problems = new ArrayList<>();
    Predicate<String> agents = name -> exists(handle, "agent", name);
    missing(problems, "entry_agent", "agent", List.of(schema.entryAgent()), agents);
    missing(
        problems,
        "agents",
        "agent",
        schema.agents().stream().filter(name -> !name.equals(schema.entryAgent())).toList(),
        agents);
    return problems;
  }

  private static boolean spawns(AgentSpec.Uses uses, String tool) {
    return tool.startsWith("spawn_") && uses.canSpawn().contains(tool.substring("spawn_".length()));
  }

  private static void missing(
      List<FieldError> problems,
      String field,
      String kind,
      List<String> names,
      Predicate<String> exists) {
    for (String name : names) {
      if (!exists.test(name)) {
        problems.add(new FieldError(field, kind + " '" + name + "' does not exist"));
      }
    }
  }

  private static boolean exists(Handle handle, String table, String name) {
    return handle
        .createQuery("SELECT 1 FROM <table> WHERE name = :name")
        .define("table", table)
        .bind("name", name)
        .mapTo(Integer.class)
        .findOne()
        .isPresent();
  }
}
