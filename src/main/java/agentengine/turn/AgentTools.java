package agentengine.turn;

import agentengine.agent.AgentSpec;
import agentengine.model.ToolDefinition;
import agentengine.tool.Tool;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tools of one turn's agent: those it names, and one for each sub-agent it may call. */
final class AgentTools {
  private static final Tool ASK_USER = new AskUserTool();

  private final Map<String, Tool> tools = new LinkedHashMap<>();
  private final List<String> confirmBefore;

  AgentTools(TurnContext turn) {
    Casts.Cast cast = turn.cast();
    cast.tools().forEach(tool -> tools.put(tool.name(), tool));
    for (AgentSpec agent : cast.subAgents()) {
      SpawnTool spawn = new SpawnTool(turn, agent);
      tools.put(spawn.name(), spawn);
    }
    Lineage lineage = turn.lineage();
    turn.services()
        .tasks()
        .taskMaker(lineage.userId(), cast.agent().spec())
        .ifPresent(maker -> tools.put(maker.name(), maker));
    if (lineage.taskId() != null) {
      tools.put(AskUserTool.NAME, ASK_USER);
    }
    this.confirmBefore = cast.agent().spec().uses().confirmBefore();
  }

  boolean isEmpty() {
    return tools.isEmpty();
  }

  @Nullable Tool find(String name) {
    return tools.get(name);
  }

  /** What to tell a model that asks for a tool it does not have. */
  String unknown(String name) {
    return "the tool '"
        + name
        + "' does not exist"
        + (tools.isEmpty() ? "" : "; there are " + String.join(", ", tools.keySet()));
  }

  boolean isGated(Tool tool) {
    return tool.confirmBefore() || confirmBefore.contains(tool.name());
  }

  List<ToolDefinition> definitions() {
    return tools.values().stream().map(Tool::definition).toList();
  }
}
