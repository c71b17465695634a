package agentengine.bench;

import agentengine.bench.load.ProcFs;
import agentengine.bench.load.Result;
import agentengine.bench.load.Scenario;
import agentengine.bench.load.Target;
import agentengine.bench.model.Script;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The figures of an engine that has just been started; each takes an engine of its own. */
final class ColdMeasures {

  private static final int STARTS = 3;
  private static final long IDLE_MILLIS = 3_000;
  private static final int OPEN_STREAMS = 5_000;
  private static final int OPEN_STREAM_PAUSE_MILLIS = 2_000;
  private static final long FIRST_SECONDS_MILLIS = 10_000;
  private static final Script SHORT_TURN = new Script(10, 0);

  private final Lab lab;

  ColdMeasures(Lab lab) {
    this.lab = lab;
  }

  /** From the start of the process on an empty directory to the end of the first answer. */
  List<Row> start() throws IOException, InterruptedException, BenchFailure {
    List<Double> seconds = new ArrayList<>();
    for (int start = 0; start < STARTS; start++) {
      EngineProcess engine = lab.spawnEngine();
      engine.awaitPort();
      lab.api().chat(lab.api().signIn(engine.port()), SHORT_TURN);
      seconds.add(engine.secondsSinceSpawn());
      lab.stop(engine);
    }
    return List.of(
        Row.of(
                "start to first answer, s (median of " + STARTS + ")",
                2,
                Double.NaN,
                median(seconds))
            .within(Budget.atMost(1.5, 0.5)));
  }

  /** Resident memory after the first answer, and with many streams open. */
  List<Row> rss() throws IOException, InterruptedException, BenchFailure {
    EngineProcess engine = lab.spawnEngine();
    Target target = signInWhenHealthy(engine);
    lab.api().chat(target, SHORT_TURN);
    Thread.sleep(IDLE_MILLIS);
    double idle = ProcFs.rssMegabytes(engine.pid());
    double open;
    try (RssPeak peak = RssPeak.watch(engine.pid())) {
      Result result =
          lab.run(
              "rss",
              Scenario.paced(
                  target,
                  OPEN_STREAM_PAUSE_MILLIS,
                  OPEN_STREAMS,
                  5_000,
                  2_000,
                  lab.options().windowMillis()));
      if (result.open() < OPEN_STREAMS) {
        lab.problem("rss: only %d of %d streams were open".formatted(result.open(), OPEN_STREAMS));
      }
      open = peak.highestMegabytes();
    }
    lab.stop(engine);
    return List.of(
        Row.of("RSS idle after the first answer, MB", 0, Double.NaN, idle)
            .within(Budget.atMost(150, 100)),
        Row.of("RSS with 5,000 open streams, highest, MB", 0, Double.NaN, open)
            .within(Budget.atMost(700, 400)));
  }

  /** The throughput of a fresh process, against the same process once it is compiled. */
  List<Row> cold() throws IOException, InterruptedException, BenchFailure {
    EngineProcess engine = lab.spawnEngine();
    Target target = signInWhenHealthy(engine);
    double first =
        lab.run("cold", WarmMeasures.fullSpeed(target, 0, FIRST_SECONDS_MILLIS)).tokensPerSecond();
    double warm =
        lab.run("cold", WarmMeasures.fullSpeed(target, 5_000, lab.options().windowMillis()))
            .tokensPerSecond();
    lab.stop(engine);
    return List.of(
        Row.of("50 streams, first 10 s after the start: tokens/s", 0, Double.NaN, first),
        Row.of("first 10 s against warm, %", 0, Double.NaN, 100 * first / warm)
            .within(Budget.atLeast(40, 80)));
  }

  private Target signInWhenHealthy(EngineProcess engine)
      throws IOException, InterruptedException, BenchFailure {
    engine.awaitHealthy(lab.api());
    return lab.api().signIn(engine.port());
  }

  private static double median(List<Double> figures) {
    return Percentile.median(figures);
  }
}
