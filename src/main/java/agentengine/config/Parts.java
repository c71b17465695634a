package agentengine.config;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parts of the document, in the order in which an export writes them. */
final class Parts {
  /** Parts of the document that this version does not know how to apply. */
  static final List<String> LATER = List.of("mcp_servers", "knowledge");

  private Parts() {}

  static List<Part<?>> of(
      Configuration.Definitions stores, UnaryOperator<@Nullable String> environment) {
    return List.of(
        new ModelPart(stores.models()),
        new ToolPart(stores.tools(), environment),
        new AgentPart(stores.agents()),
        new SchemaPart(stores.schemas()),
        new RateLimitPart(stores.rateLimits()),
        new SettingsPart(stores.settings()));
  }

  /** Paths of values in which a reference to the environment is not replaced. */
  static Predicate<String> pathsThatKeepReferences(List<Part<?>> parts) {
    String paths =
        parts.stream()
            .flatMap(
                part ->
                    part.fieldsThatKeepReferences().stream()
                        .map(field -> part.key() + "\\.[^.]+\\." + field + "\\..+"))
            .collect(Collectors.joining("|"));
    return Pattern.compile(paths).asMatchPredicate();
  }
}
