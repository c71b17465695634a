package agentengine;

import agentengine.cli.Command;
import agentengine.cli.Shell;
import agentengine.cli.VariableOptions;
import agentengine.config.BadOption;
import agentengine.config.BootOptions;
import agentengine.config.ConfigurationException;
import agentengine.config.Variable;
import agentengine.db.StoreUnavailable;
import agentengine.log.Logs;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code engine start}: runs in the foreground until it is told to stop. */
final class StartCommand implements Command.Action {
  private static final int FAILED = 1;
  private static final List<Variable> VARIABLES = List.of(Variable.values());

  private final Map<String, String> environment;
  private final PrintStream out;
  private final PrintStream err;

  StartCommand(Shell shell) {
    this.environment = shell.environment();
    this.out = shell.out();
    this.err = shell.err();
  }

  /** The command with a flag for every variable. */
  @Override
  public CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("start");
    spec.usageMessage().description("Run the engine in the foreground.");
    VariableOptions.addTo(spec, VARIABLES);
    return spec;
  }

  @Override
  public int run(ParseResult parsed) {
    try {
      BootOptions options = BootOptions.read(values(parsed));
      Logs.configure(options.log().format(), options.log().level());
      return serve(options);
    } catch (BadOption e) {
      err.println("engine: " + e.reason());
    } catch (StoreUnavailable e) {
      err.println("engine: " + e.reason());
    } catch (ConfigurationException e) {
      String file = configurationFile(parsed);
      e.problems().forEach(problem -> err.println("engine: " + file + ": " + problem));
    } catch (IllegalStateException e) {
      err.println("engine: " + e.getMessage());
    }
    return FAILED;
  }

  private int serve(BootOptions options) {
    Engine engine = new Engine(options, environment::get);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  engine.close();
                  stopped.countDown();
                  // A signal would otherwise be the exit status; a graceful end is a success.
                  Runtime.getRuntime().halt(0);
                },
                "shutdown"));
    String host = options.host().contains(":") ? "[" + options.host() + "]" : options.host();
    if (!isLoopback(options.host()) && options.auth().localSession()) {
      err.println(
          "engine: warning: listening on "
              + host
              + " with local sessions on; behind a proxy set ENGINE_LOCAL_SESSION=off");
    }
    out.println(
        "Agent Engine "
            + Version.current()
            + " is ready: http://"
            + host
            + ":"
            + engine.port()
            + "/");
    out.flush();
    try {
      stopped.await();
    } catch (InterruptedException _) {
      engine.close();
    }
    return 0;
  }

  private static boolean isLoopback(String host) {
    return host.equals("localhost") || host.startsWith("127.") || host.equals("::1");
  }

  private Map<Variable, String> values(ParseResult parsed) {
    return VariableOptions.read(parsed, environment, VARIABLES);
  }

  private String configurationFile(ParseResult parsed) {
    return values(parsed).getOrDefault(Variable.CONFIG, Variable.CONFIG.fallback());
  }
}
