package agentengine.tool;

import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The tools that every engine has; an agent gets those that it names. */
public final class BuiltInTools {
  /** Made for each turn by the package that knows tasks. */
  public static final String CREATE_TASK = "create_task";

  private final Map<String, Tool> tools;

  public BuiltInTools(InstantSource clock) {
    tools =
        Map.of(
            CurrentTime.NAME,
            new CurrentTime(clock),
            StructuredOutput.NAME,
            new StructuredOutput());
  }

  public static List<String> names() {
    return List.of(StructuredOutput.NAME, CurrentTime.NAME, CREATE_TASK);
  }

  public Optional<Tool> find(String name) {
    return Optional.ofNullable(tools.get(name));
  }
}
