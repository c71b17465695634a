package agentengine.config;

import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.limit.Limit;
import agentengine.model.ModelLimits;
import agentengine.model.ProviderKind;
import agentengine.time.Durations;
import agentengine.turn.TurnLimits;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;

/** What can be changed while the engine runs. */
public record Settings(
    Limit rateLimit, ModelOverride modelOverride, ModelLimits modelLimits, TurnLimits turnLimits) {

  /** Whether a request may bring its own model, and of which providers. */
  public record ModelOverride(boolean enabled, List<String> providers) {}

  public static final Settings DEFAULT =
      new Settings(
          new Limit(60, Duration.ofMinutes(1)),
          new ModelOverride(false, List.of()),
          ModelLimits.DEFAULT,
          TurnLimits.DEFAULT);

  /** The groups that settings come in. */
  public static final List<String> GROUPS = List.of("rate_limit", "model_override", "limits");

  /** Reads all settings; what is absent has its default. */
  public static Settings read(Fields fields) {
    Settings settings = DEFAULT;
    for (String group : GROUPS) {
      Fields ofGroup = fields.object(group);
      settings = settings.withGroup(group, ofGroup);
      ofGroup.complete();
    }
    return settings;
  }

  /** Reads one group; all others have their defaults. */
  static Settings readGroup(String group, Fields fields) {
    return DEFAULT.withGroup(group, fields);
  }

  private Settings withGroup(String group, Fields fields) {
    return switch (group) {
      case "rate_limit" -> new Settings(rateLimit(fields), modelOverride, modelLimits, turnLimits);
      case "model_override" ->
          new Settings(
              rateLimit,
              new ModelOverride(fields.bool("enabled", false), providers(fields)),
              modelLimits,
              turnLimits);
      case "limits" ->
          new Settings(rateLimit, modelOverride, modelLimits(fields), turnLimits(fields));
      default -> this;
    };
  }

  private static Limit rateLimit(Fields fields) {
    Limit standard = DEFAULT.rateLimit();
    return new Limit(
        fields.integer("requests", standard.requests(), 1, 1_000_000_000),
        duration(fields, "window", standard.window(), Duration.ofDays(31)));
  }

  private static ModelLimits modelLimits(Fields limits) {
    ModelLimits standard = ModelLimits.DEFAULT;
    return new ModelLimits(
        duration(limits, "connect", standard.connect(), Duration.ofMinutes(10)),
        duration(limits, "first_token", standard.firstToken(), Duration.ofHours(1)),
        duration(limits, "stall", standard.stall(), Duration.ofHours(1)));
  }

  private static TurnLimits turnLimits(Fields limits) {
    TurnLimits standard = TurnLimits.DEFAULT;
    return new TurnLimits(
        duration(limits, "turn", standard.turn(), Duration.ofDays(7)),
        limits.integer("concurrent_turns", standard.concurrentTurns(), 1, 1_000_000),
        limits.integer("concurrent_tasks", standard.concurrentTasks(), 1, 10_000),
        toolLimits(limits));
  }

  private static TurnLimits.ToolLimits toolLimits(Fields limits) {
    TurnLimits.ToolLimits standard = TurnLimits.DEFAULT.tools();
    return new TurnLimits.ToolLimits(
        duration(limits, "tool", standard.run(), Duration.ofHours(1)),
        duration(limits, "confirmation", standard.confirmation(), Duration.ofDays(31)),
        limits.integer("spawn_depth", standard.spawnDepth(), 0, 20),
        limits.integer("tool_output", standard.outputCharacters(), 1_000, 1024 * 1024));
  }

  private static List<String> providers(Fields override) {
    List<String> providers = override.strings("providers", 20, 50);
    for (String provider : providers) {
      if (!ProviderKind.wireNames().contains(provider)) {
        override.reject(
            "providers",
            "'" + provider + "' is not one of " + String.join(", ", ProviderKind.wireNames()));
      }
    }
    return providers;
  }

  private static Duration duration(Fields fields, String name, Duration fallback, Duration max) {
    String text = fields.string(name, 50);
    if (text == null) {
      return fallback;
    }
    try {
      Duration duration = Durations.parse(text);
      if (duration.isPositive() && duration.compareTo(max) <= 0) {
        return duration;
      }
      fields.reject(name, "must be more than 0 and at most " + Durations.format(max));
    } catch (IllegalArgumentException e) {
      fields.reject(name, "must be a duration like 500ms, 30s or 1h");
    }
    return fallback;
  }

  /** The settings with the API's field names; {@link #read} takes them back. */
  public ObjectNode toJson() {
    ObjectNode json = Json.object();
    json.putObject("rate_limit")
        .put("requests", rateLimit.requests())
        .put("window", Durations.format(rateLimit.window()));
    ObjectNode override = json.putObject("model_override");
    override.put("enabled", modelOverride.enabled());
    override.set("providers", Json.array(modelOverride.providers()));
    json.putObject("limits")
        .put("connect", Durations.format(modelLimits.connect()))
        .put("first_token", Durations.format(modelLimits.firstToken()))
        .put("stall", Durations.format(modelLimits.stall()))
        .put("turn", Durations.format(turnLimits.turn()))
        .put("concurrent_turns", turnLimits.concurrentTurns())
        .put("concurrent_tasks", turnLimits.concurrentTasks())
        .put("tool", Durations.format(turnLimits.tools().run()))
        .put("confirmation", Durations.format(turnLimits.tools().confirmation()))
        .put("spawn_depth", turnLimits.tools().spawnDepth())
        .put("tool_output", turnLimits.tools().outputCharacters());
    return json;
  }
}
