package agentengine.model;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of provider that a model record may name. */
public enum ProviderKind {
  OLLAMA("http://localhost:11434"),
  OPENAI_COMPATIBLE(null),
  ANTHROPIC("https://api.anthropic.com/v1"),
  AZURE_OPENAI(null),
  GOOGLE("https://generativelanguage.googleapis.com/v1beta"),
  OPENROUTER("https://openrouter.ai/api/v1"),
  DEEPSEEK("https://api.deepseek.com/v1"),
  MISTRAL("https://api.mistral.ai/v1"),
  XAI("https://api.x.ai/v1"),
  ZAI("https://api.z.ai/api/paas/v4");

  private final @Nullable String defaultBaseUrl;

  ProviderKind(@Nullable String defaultBaseUrl) {
    this.defaultBaseUrl = defaultBaseUrl;
  }

  /** Where this provider answers; null when only the user can know. */
  public @Nullable String defaultBaseUrl() {
    return defaultBaseUrl;
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What OpenTelemetry's conventions call it, or our own name where they have none. */
  public String telemetryName() {
    return switch (this) {
      case OLLAMA -> "ollama";
      case OPENAI_COMPATIBLE -> "openai"; // the protocol, whoever speaks it
      case ANTHROPIC -> "anthropic";
      case AZURE_OPENAI -> "azure.ai.openai";
      case GOOGLE -> "gcp.gemini";
      case OPENROUTER -> "openrouter";
      case DEEPSEEK -> "deepseek";
      case MISTRAL -> "mistral_ai";
      case XAI -> "x_ai";
      case ZAI -> "zai";
    };
  }

  public static Optional<ProviderKind> ofWireName(String name) {
    return Arrays.stream(values()).filter(kind -> kind.wireName().equals(name)).findFirst();
  }

  public static List<String> wireNames() {
    return Arrays.stream(values()).map(ProviderKind::wireName).toList();
  }
}
