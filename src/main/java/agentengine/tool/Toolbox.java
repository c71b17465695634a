package agentengine.tool;

import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The tools that an agent may have because it names them, ready to be called. */
public final class Toolbox {
  private final BuiltInTools builtIn;
  private final Tools declared;
  private final OutboundHttp http;
  private final UnaryOperator<@Nullable String> environment;

  public Toolbox(
      BuiltInTools builtIn,
      Tools declared,
      OutboundHttp http,
      UnaryOperator<@Nullable String> environment) {
    this.builtIn = builtIn;
    this.declared = declared;
    this.http = http;
    this.environment = environment;
  }

  /** A built-in or declared tool, as seen inside the caller's transaction. */
  public Optional<Tool> tool(Handle handle, String name) {
    return builtIn
        .find(name)
        .or(
            () ->
                declared
                    .find(handle, name)
                    .map(tool -> new HttpTool(tool.spec(), http, environment)));
  }
}
