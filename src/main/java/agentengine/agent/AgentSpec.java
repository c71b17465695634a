package agentengine.agent;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.json.TextRules;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an agent is: its model, its prompt, what it may use and how far it may go. */
public record AgentSpec(
    String name,
    String description,
    String system,
    String model,
    List<String> fallbackModels,
    Lifecycle lifecycle,
    Uses uses,
    Sampling sampling,
    int maxSteps,
    int maxContextSize) {

  /** What the agent may use, by name. */
  public record Uses(
      List<String> tools,
      List<String> mcpServers,
      List<String> knowledge,
      List<String> canSpawn,
      List<String> confirmBefore) {}

  /** How its model picks words; null leaves it to the provider. */
  public record Sampling(
      @Nullable Double temperature, @Nullable Double topP, @Nullable Integer maxTokens) {}

  private static final int MAX_DESCRIPTION = 2_000;
  private static final int MAX_SYSTEM = 256 * 1024;
  private static final int MAX_NAMES = 200;
  private static final int MAX_TOOL_NAME = 64;

  /** Reads the fields beside the name. */
  public static AgentSpec read(String name, Fields fields) {
    return new AgentSpec(
        name,
        fields.string("description", "", MAX_DESCRIPTION),
        fields.string("system", "", MAX_SYSTEM),
        fields.requiredString("model", TextRules.MAX_NAME),
        fields.strings("fallback_models", 10, TextRules.MAX_NAME),
        Lifecycle.ofWireName(
            fields.oneOf("lifecycle", Lifecycle.PERSISTENT.wireName(), Lifecycle.wireNames())),
        new Uses(
            fields.strings("tools", MAX_NAMES, MAX_TOOL_NAME),
            fields.strings("mcp_servers", MAX_NAMES, TextRules.MAX_NAME),
            fields.strings("knowledge", MAX_NAMES, TextRules.MAX_NAME),
            fields.strings("can_spawn", MAX_NAMES, TextRules.MAX_NAME),
            fields.strings("confirm_before", MAX_NAMES, MAX_TOOL_NAME)),
        new Sampling(
            fields.number("temperature", 0, 2),
            fields.number("top_p", 0, 1),
            fields.integer("max_tokens", 1, 10_000_000)),
        fields.integer("max_steps", 50, 1, 500),
        fields.integer("max_context_size", 64_000, 1_000, 2_000_000));
  }

  /** The definition with the API's field names; {@link #read} takes it back. */
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    json.put("name", name);
    json.put("description", description);
    json.put("system", system);
    json.put("model", model);
    json.set("fallback_models", Json.array(fallbackModels));
    json.put("lifecycle", lifecycle.wireName());
    json.set("tools", Json.array(uses.tools()));
    json.set("mcp_servers", Json.array(uses.mcpServers()));
    json.set("knowledge", Json.array(uses.knowledge()));
    json.set("can_spawn", Json.array(uses.canSpawn()));
    json.set("confirm_before", Json.array(uses.confirmBefore()));
    json.put("temperature", sampling.temperature());
    json.put("top_p", sampling.topP());
    json.put("max_tokens", sampling.maxTokens());
    json.put("max_steps", maxSteps);
    json.put("max_context_size", maxContextSize);
    return json;
  }

  /** The models it may call, the preferred one first. */
  public List<String> models() {
    return Stream.concat(Stream.of(model), fallbackModels.stream()).toList();
  }
}
