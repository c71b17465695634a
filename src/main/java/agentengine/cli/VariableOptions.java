package agentengine.cli;

import agentengine.config.Variable;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** The variables of the environment as flags of a command. */
public final class VariableOptions {
  private VariableOptions() {}

  /** Gives the command a flag for each of the variables. */
  public static void addTo(CommandSpec spec, Collection<Variable> variables) {
    for (Variable variable : variables) {
      String fallback = variable.fallback().isEmpty() ? "" : " (" + variable.fallback() + ")";
      spec.addOption(
          OptionSpec.builder(variable.flag())
              .type(String.class)
              .paramLabel("VALUE")
              .description(variable.description() + fallback + "; " + variable.environmentName())
              .build());
    }
  }

  /** The given values: a flag wins over the environment; an empty one is as good as none. */
  public static Map<Variable, String> read(
      ParseResult parsed, Map<String, String> environment, Collection<Variable> variables) {
    Map<Variable, String> values = new EnumMap<>(Variable.class);
    for (Variable variable : variables) {
      String value =
          parsed.matchedOptionValue(
              variable.flag(), environment.getOrDefault(variable.environmentName(), ""));
      if (!value.isBlank()) {
        values.put(variable, value);
      }
    }
    return values;
  }
}
