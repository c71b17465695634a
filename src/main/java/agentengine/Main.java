package agentengine;

import agentengine.cli.AuditCommands;
import agentengine.cli.ChatCommand;
import agentengine.cli.Program;
import agentengine.cli.Shell;
import agentengine.cli.TokenCommands;
import java.util.List;
import java.util.logging.LogManager;

/** The command line. */
public final class Main {
  private Main() {}

  public static void main(String[] args) {
    // The JDK repeats a POST whose connection breaks unless it is told not to before its first
    // connection; a message must not be sent twice, nor a model be asked twice.
    System.setProperty("sun.net.http.retryPost", "false");
    // Libraries log to nobody; a command that wants a log, as start does, sets it up.
    LogManager.getLogManager().reset();
    Shell shell = Shell.ofProcess();
    Program program =
        new Program(
            shell,
            "Agent Engine " + Version.current(),
            List.of(
                new StartCommand(shell),
                new ChatCommand(shell),
                TokenCommands.group(shell),
                AuditCommands.group(shell)));
    System.exit(program.run(args));
  }
}
