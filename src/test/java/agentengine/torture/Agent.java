package agentengine.torture;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** The agents: who talks to the clients, and those below. */
enum Agent {
  /** Forgets everything between two calls, and asks before it stores. */
  CLERK("spawn", "", Tool.STORE.wireName()),
  /** Keeps its own conversation across the calls of a session. */
  HELPER("persistent", "clerk", ""),
  BOSS("persistent", "helper, clerk", "");

  private final String lifecycle;
  private final String canSpawn;
  private final String confirmBefore;

  Agent(String lifecycle, String canSpawn, String confirmBefore) {
    this.lifecycle = lifecycle;
    this.canSpawn = canSpawn;
    this.confirmBefore = confirmBefore;
  }

  String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean asksBefore(Tool tool) {
    return tool.gated() || confirmBefore.equals(tool.wireName());
  }

  /** The whole configuration document of a run. */
  static String configuration(String modelUrl, String toolsUrl) {
    StringBuilder yaml = new StringBuilder();
    yaml.append(
        """
        version: 1
        models:
          sim: {type: openai_compatible, base_url: "%s", model_name: scripted, api_key: key}
        schemas:
          office: {entry_agent: boss, agents: [boss, helper, clerk], chat_enabled: true}
        tools:
        """
            .formatted(modelUrl));
    for (Tool tool : Tool.values()) {
      yaml.append(tool.declaration(toolsUrl));
    }
    yaml.append("agents:\n");
    for (Agent agent : values()) {
      yaml.append(agent.declaration());
    }
    return yaml.toString();
  }

  private String declaration() {
    return """
      %s:
        model: sim
        system: You follow the script.
        lifecycle: %s
        tools: [show_structured_output, %s]
        can_spawn: [%s]
        confirm_before: [%s]
    """
        .formatted(
            wireName(),
            lifecycle,
            Arrays.stream(Tool.values()).map(Tool::wireName).collect(Collectors.joining(", ")),
            canSpawn,
            confirmBefore);
  }
}
