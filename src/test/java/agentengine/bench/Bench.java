package agentengine.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Measures the engine beside the direct path to its model, and prints both as one table. */
public final class Bench {

  private static final Set<Measure> COLD = EnumSet.of(Measure.START, Measure.RSS, Measure.COLD);

  private final Lab lab;
  private final ColdMeasures cold;
  private @Nullable WarmMeasures warm;

  private Bench(Lab lab) {
    this.lab = lab;
    this.cold = new ColdMeasures(lab);
  }

  /** Exit code 0: all was measured; 1: the engine failed or answered wrongly; 2: bad options. */
  public static void main(String[] args) throws InterruptedException {
    if (List.of(args).contains("--help")) {
      System.out.print(BenchOptions.USAGE);
      return;
    }
    BenchOptions options;
    try {
      options = BenchOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println("bench: " + e.getMessage());
      System.err.print(BenchOptions.USAGE);
      System.exit(2);
      return;
    }
    System.exit(run(options));
  }

  private static int run(BenchOptions options) throws InterruptedException {
    try {
      Path directory = Files.createTempDirectory(options.dataParent(), "agent-engine-bench-");
      try {
        List<String> problems = runIn(directory, options);
        deleteTree(directory);
        problems.forEach(problem -> System.err.println("bench: " + problem));
        return problems.isEmpty() ? 0 : 1;
      } catch (BenchFailure e) {
        System.err.println("bench: " + e.getMessage() + " (its files: " + directory + ")");
        return 1;
      }
    } catch (IOException e) {
      System.err.println("bench: " + e);
      return 1;
    }
  }

  private static List<String> runIn(Path directory, BenchOptions options)
      throws IOException, InterruptedException, BenchFailure {
    System.out.println(machine(directory, options));
    try (Children children = new Children()) {
      Lab lab = new Lab(children, options, directory);
      System.out.print(Report.table(new Bench(lab).measure(options)));
      lab.disturbances().forEach(line -> System.out.println("Disturbed: " + line));
      return lab.problems();
    }
  }

  private List<Row> measure(BenchOptions options)
      throws IOException, InterruptedException, BenchFailure {
    lab.warmUp();
    List<Row> rows = new ArrayList<>();
    for (Measure measure : options.measures()) {
      if (options.directOnly() && COLD.contains(measure)) {
        continue;
      }
      System.err.println("measuring " + measure.optionName() + " ...");
      rows.addAll(measure(measure));
    }
    return rows;
  }

  private List<Row> measure(Measure measure)
      throws IOException, InterruptedException, BenchFailure {
    return switch (measure) {
      case START -> cold.start();
      case RSS -> cold.rss();
      case COLD -> cold.cold();
      case THROUGHPUT -> warm().throughput();
      case SHORT_TURNS -> warm().shortTurns();
      case FIRST_DELTA -> warm().firstDelta();
      case TURN_200 -> warm().turn200();
      // All of them, that is; the edges of the window cut some off.
      case PACED_200 ->
          warm().paced(200, Budget.atLeast(99.5, 99.5), Optional.of(Budget.atMost(10, 5)));
      case PACED_1000 -> warm().paced(1_000, Budget.atLeast(85, 97), Optional.empty());
    };
  }

  private WarmMeasures warm() throws IOException, InterruptedException, BenchFailure {
    if (warm == null) {
      warm =
          lab.options().directOnly()
              ? WarmMeasures.directOnly(lab)
              : WarmMeasures.onWarmEngine(lab);
    }
    return warm;
  }

  private static String machine(Path directory, BenchOptions options) throws IOException {
    return "%d cores, %s, Java %s; data on %s (%s); window %d s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.arch"),
            System.getProperty("java.version"),
            options.databaseUrl() == null ? "SQLite" : "PostgreSQL",
            Files.getFileStore(directory).type(),
            options.seconds());
  }

  private static void deleteTree(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
