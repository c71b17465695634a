package agentengine.cli;

import agentengine.config.BadOption;
import agentengine.db.StoreUnavailable;
import agentengine.error.EngineException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/** The whole command line: finds the command, runs it, and tells a failure in one line. */
public final class Program {
  private static final int FAILED = 1;
  private static final int INTERRUPTED = 130;
  private static final int HELP_WIDTH = 100;

  private final Shell shell;
  private final CommandLine commandLine;
  private final IdentityHashMap<CommandSpec, Command> commands = new IdentityHashMap<>();

  public Program(Shell shell, String version, List<Command> commands) {
    this.shell = shell;
    CommandSpec root =
        CommandSpec.create().name("engine").version(version).mixinStandardHelpOptions(true);
    root.usageMessage().description("Hosts AI agents behind a REST API.");
    commands.forEach(command -> add(command, root));
    commandLine =
        new CommandLine(root)
            // A message may begin with an @ and must not be taken for the name of a file.
            .setExpandAtFiles(false)
            .setOut(new PrintWriter(shell.out(), true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(shell.err(), true, StandardCharsets.UTF_8))
            .setUsageHelpWidth(HELP_WIDTH)
            .setParameterExceptionHandler((e, _) -> misused(e))
            .setExecutionStrategy(this::execute);
  }

  private void add(Command command, CommandSpec parent) {
    CommandSpec spec = command.spec();
    spec.addOption(
        OptionSpec.builder("-h", "--help")
            .usageHelp(true)
            .description("Show this help and exit.")
            .build());
    spec.usageMessage().sortOptions(false);
    commands.put(spec, command);
    parent.addSubcommand(spec.name(), spec);
    if (command instanceof Command.Group group) {
      group.commands().forEach(inner -> add(inner, spec));
    }
  }

  /**
   * Runs one command.
   *
   * @return 0 when it did what was asked, 2 when it was asked in a wrong way, else 1
   */
  public int run(String... arguments) {
    return commandLine.execute(arguments);
  }

  private int misused(ParameterException e) {
    shell.err().println("engine: " + e.getMessage());
    shell
        .err()
        .println(
            e.getCommandLine().getCommandSpec().qualifiedName() + " --help tells how it is used");
    return CommandLine.ExitCode.USAGE;
  }

  private int execute(ParseResult parsed) {
    Integer help = CommandLine.executeHelpRequest(parsed);
    if (help != null) {
      return help;
    }
    ParseResult deepest = parsed;
    while (deepest.hasSubcommand()) {
      deepest = Objects.requireNonNull(deepest.subcommand());
    }
    return switch (commands.get(deepest.commandSpec())) {
      case Command.Action action -> run(action, deepest);
      case Command.Group _ -> usage(deepest);
      case null -> usage(deepest);
    };
  }

  private int usage(ParseResult parsed) {
    parsed.commandSpec().commandLine().usage(shell.err());
    return CommandLine.ExitCode.USAGE;
  }

  private int run(Command.Action action, ParseResult parsed) {
    try {
      return action.run(parsed);
    } catch (ApiRefusal e) {
      return fail(ErrorLine.of(e.code(), e.reason()));
    } catch (EngineException e) {
      return fail(ErrorLine.of(e.code().wireName(), e.reason()));
    } catch (BadOption e) {
      return fail("engine: " + e.reason());
    } catch (StoreUnavailable e) {
      return fail("engine: " + e.reason());
    } catch (CommandFailed | IOException e) {
      return fail("engine: " + e.getMessage());
    } catch (InterruptedException _) {
      return INTERRUPTED;
    } catch (RuntimeException e) {
      return fail("engine: unexpected failure: " + e);
    }
  }

  private int fail(String line) {
    shell.err().println(Printable.oneLine(line));
    return FAILED;
  }
}
