package agentengine;

import agentengine.config.BadOption;
import agentengine.config.BootOptions;
import agentengine.config.ConfigurationException;
import agentengine.config.Variable;
import agentengine.db.StoreUnavailable;
import agentengine.log.Logs;
import java.io.PrintStream;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;

/** {@code engine start}: runs in the foreground until it is told to stop. */
final class StartCommand {
  private static final int FAILED = 1;

  private final Map<String, String> environment;
  private final PrintStream out;
  private final PrintStream err;

  StartCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
    this.environment = environment;
    this.out = out;
    this.err = err;
  }

  /** The command with a flag for every variable. */
  CommandLine.Model.CommandSpec spec() {
    CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create().name("start");
    spec.usageMessage().description("Run the engine in the foreground.");
    spec.mixinStandardHelpOptions(true);
    for (Variable variable : Variable.values()) {
      String fallback = variable.fallback().isEmpty() ? "" : " (" + variable.fallback() + ")";
      spec.addOption(
          CommandLine.Model.OptionSpec.builder(variable.flag())
              .type(String.class)
              .paramLabel("VALUE")
              .description(variable.description() + fallback + "; " + variable.environmentName())
              .build());
    }
    return spec;
  }

  int run(CommandLine.ParseResult parsed) {
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

  /** A flag wins over the environment; an empty variable is as good as none. */
  Map<Variable, String> values(CommandLine.ParseResult parsed) {
    Map<Variable, String> values = new EnumMap<>(Variable.class);
    for (Variable variable : Variable.values()) {
      String value =
          parsed.matchedOptionValue(
              variable.flag(), environment.getOrDefault(variable.environmentName(), ""));
      if (!value.isBlank()) {
        values.put(variable, value);
      }
    }
    return values;
  }

  private String configurationFile(CommandLine.ParseResult parsed) {
    return values(parsed).getOrDefault(Variable.CONFIG, Variable.CONFIG.fallback());
  }
}
