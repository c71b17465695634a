package agentengine.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The command line.
 *
 * @param engineCommand starts the engine in the foreground, in the same process
 * @param directOnly leaves the engine out: shows what the model and the client can do by themselves
 */
record BenchOptions(
    Set<Measure> measures,
    int seconds,
    List<String> engineCommand,
    @Nullable String databaseUrl,
    Path dataParent,
    boolean directOnly) {

  static final String USAGE =
      """
      Usage: ./engine bench [options]
        --only NAME,...        only these of: %s
        --seconds N            length of each measuring window, 1 to 60 (default 8)
        --database-url URL     measure on PostgreSQL (default: SQLite in a fresh directory)
        --data-dir DIR         where the fresh directories are made (default: the temporary directory)
        --java-opts "OPTS"     JVM options of the engine
        --engine-jar FILE      default: target/agent-engine.jar
        --engine-command "C"   starts the engine instead of java OPTS -jar FILE start
        --direct-only          leave the engine out, to see what the fake model and the client can do
      """
          .formatted(Measure.allNames());

  static BenchOptions parse(String... args) {
    Set<Measure> measures = EnumSet.allOf(Measure.class);
    int seconds = 8;
    String databaseUrl = null;
    Path dataParent = Path.of(System.getProperty("java.io.tmpdir"));
    List<String> javaOptions = List.of();
    String jar = "target/agent-engine.jar";
    List<String> command = List.of();
    boolean directOnly = false;
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String option = rest.next();
      switch (option) {
        case "--only" -> measures = measuresOf(valueOf(option, rest));
        case "--seconds" -> seconds = secondsOf(valueOf(option, rest));
        case "--database-url" -> databaseUrl = valueOf(option, rest);
        case "--data-dir" -> dataParent = Path.of(valueOf(option, rest));
        case "--java-opts" -> javaOptions = words(valueOf(option, rest));
        case "--engine-jar" -> jar = valueOf(option, rest);
        case "--engine-command" -> command = words(valueOf(option, rest));
        case "--direct-only" -> directOnly = true;
        default -> throw new IllegalArgumentException("unknown option " + option);
      }
    }
    List<String> engineCommand = command.isEmpty() ? javaCommand(javaOptions, jar) : command;
    return new BenchOptions(measures, seconds, engineCommand, databaseUrl, dataParent, directOnly);
  }

  long windowMillis() {
    return seconds * 1000L;
  }

  private static List<String> javaCommand(List<String> javaOptions, String jar) {
    List<String> command = new ArrayList<>();
    command.add(ChildJvm.javaExecutable());
    command.addAll(javaOptions);
    command.addAll(List.of("-jar", jar, "start"));
    return List.copyOf(command);
  }

  private static Set<Measure> measuresOf(String names) {
    Set<Measure> measures = EnumSet.noneOf(Measure.class);
    for (String name : names.split(",", -1)) {
      measures.add(Measure.named(name.trim()));
    }
    return measures;
  }

  private static int secondsOf(String value) {
    if (!value.matches("[1-9]|[1-5][0-9]|60")) {
      throw new IllegalArgumentException("--seconds takes 1 to 60, not " + value);
    }
    return Integer.parseInt(value);
  }

  private static List<String> words(String value) {
    return value.isBlank() ? List.of() : List.of(value.trim().split("\\s+", -1));
  }

  private static String valueOf(String option, Iterator<String> rest) {
    if (!rest.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value");
    }
    return rest.next();
  }
}
