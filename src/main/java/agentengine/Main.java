package agentengine;

import java.util.Map;
import picocli.CommandLine;

/** The command line. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    Map<String, String> environment = System.getenv();
    StartCommand start = new StartCommand(environment, System.out, System.err);
    CommandLine.Model.CommandSpec root =
        CommandLine.Model.CommandSpec.create()
            .name("engine")
            .version("Agent Engine " + Version.current())
            .mixinStandardHelpOptions(true);
    root.usageMessage().description("Hosts AI agents behind a REST API.");
    root.addSubcommand("start", start.spec());
    CommandLine commandLine = new CommandLine(root);
    commandLine.setExecutionStrategy(
        parsed -> {
          Integer help = CommandLine.executeHelpRequest(parsed);
          if (help != null) {
            return help;
          }
          if (!parsed.hasSubcommand()) {
            commandLine.usage(System.err);
            return CommandLine.ExitCode.USAGE;
          }
          return start.run(parsed.subcommand());
        });
    int status = commandLine.execute(args);
    System.exit(status);
  }
}
