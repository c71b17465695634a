package agentengine.cli;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** A word of the command line, with its options and what it does. */
public sealed interface Command {
  /** The name, the options and the help. */
  CommandSpec spec();

  /** A command that does something. */
  non-sealed interface Action extends Command {
    /**
     * Does it.
     *
     * @return the exit status
     */
    int run(ParseResult parsed) throws IOException, InterruptedException;
  }

  /** A command that only holds others. */
  record Group(String name, String description, List<Command> commands) implements Command {
    @Override
    public CommandSpec spec() {
      CommandSpec spec = CommandSpec.create().name(name);
      spec.usageMessage().description(description);
      return spec;
    }
  }
}
