package agentengine.cli;

import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a command printed, and the status it ended with. */
record CommandRun(int status, String out, String err) {
  /** As patient as usual, but without pauses between the tries. */
  static final Patience WITHOUT_PAUSES =
      new Patience(
          Duration.ofSeconds(5),
          Duration.ofSeconds(30),
          Duration.ofSeconds(60),
          List.of(Duration.ZERO, Duration.ZERO, Duration.ZERO));

  static CommandRun of(Map<String, String> environment, String... arguments) {
    return withInput("", environment, arguments);
  }

  static CommandRun withInput(String input, Map<String, String> environment, String... arguments) {
    return run(stream(input), environment, false, WITHOUT_PAUSES, arguments);
  }

  /** As if a person sat there. */
  static CommandRun typed(String input, Map<String, String> environment, String... arguments) {
    return run(stream(input), environment, true, WITHOUT_PAUSES, arguments);
  }

  static CommandRun run(
      InputStream in,
      Map<String, String> environment,
      boolean interactive,
      Patience patience,
      String... arguments) {
    Printed out = new Printed();
    Printed err = new Printed();
    Shell shell =
        new Shell(in, out.stream(), err.stream(), environment, interactive, InstantSource.system());
    int status = program(shell, patience).run(arguments);
    return new CommandRun(status, out.toString(), err.toString());
  }

  /** The environment of somebody who works beside an engine. */
  static Map<String, String> beside(TestEngine engine) {
    Map<String, String> environment = new HashMap<>();
    environment.put("ENGINE_PORT", Integer.toString(engine.port()));
    environment.put("ENGINE_DATA_DIR", engine.database().dataDirectory().toString());
    if (engine.database() instanceof TestDatabases.Postgres postgres) {
      environment.put("ENGINE_DATABASE_URL", postgres.url());
    }
    return environment;
  }

  static Program program(Shell shell, Patience patience) {
    return new Program(
        shell,
        "Agent Engine test",
        List.of(
            new ChatCommand(shell, patience),
            TokenCommands.group(shell),
            AuditCommands.group(shell)));
  }

  static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }

  /** The session that the last line tells how to continue. */
  String session() {
    String[] words = err.strip().split(" ", -1);
    return words[words.length - 1];
  }
}
