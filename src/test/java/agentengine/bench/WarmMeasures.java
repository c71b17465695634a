package agentengine.bench;

import agentengine.bench.load.Result;
import agentengine.bench.load.Scenario;
import agentengine.bench.load.Target;
import agentengine.bench.model.Script;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The figures of an engine that has run for a while, each beside those of the direct path. */
final class WarmMeasures {

  private static final int PAUSE_MILLIS = 20;
  private static final Script SHORT_TURN = new Script(10, 0);

  /** Paced, so that the first token comes alone and is timed alone. */
  private static final Script TIMED_TURN = new Script(3, 5);

  private static final int UNTIMED_TURNS = 50;
  private static final int TIMED_TURNS = 200;
  private static final int SESSION_TURNS = 200;
  private static final int COMPARED_TURNS = 5;
  private static final int SESSIONS = 6;
  private static final long ONE_BY_ONE_LIMIT_MILLIS = 60_000;

  /** Both paths of one load; the engine's is empty when it is left out. */
  private record Pair(Result direct, Optional<Result> engine) {

    interface Figure {
      double of(Result result);
    }

    Row row(String label, int decimals, Figure figure) {
      return Row.of(label, decimals, figure.of(direct), engine.map(figure::of).orElse(Double.NaN));
    }

    double engineFigure(Figure figure) {
      return engine.map(figure::of).orElse(Double.NaN);
    }
  }

  private interface Load {
    Scenario on(Target target);
  }

  private final Lab lab;
  private final Optional<Target> engine;
  private final List<Long> pids;

  private WarmMeasures(Lab lab, Optional<Target> engine, List<Long> pids) {
    this.lab = lab;
    this.engine = engine;
    this.pids = pids;
  }

  static WarmMeasures directOnly(Lab lab) {
    return new WarmMeasures(lab, Optional.empty(), List.of(lab.modelPid(), lab.clientPid()));
  }

  /** Starts an engine and runs it until its hot paths are compiled. */
  static WarmMeasures onWarmEngine(Lab lab) throws IOException, InterruptedException, BenchFailure {
    EngineProcess process = lab.spawnEngine();
    process.awaitHealthy(lab.api());
    Target target = lab.api().signIn(process.port());
    lab.api().chat(target, SHORT_TURN);
    lab.run("warm-up", fullSpeed(target, 0, 6_000));
    lab.run("warm-up", Scenario.repeated(target, SHORT_TURN, 32, 0, 4_000));
    return new WarmMeasures(
        lab, Optional.of(target), List.of(lab.modelPid(), lab.clientPid(), process.pid()));
  }

  static Scenario fullSpeed(Target target, long warmupMillis, long windowMillis) {
    return Scenario.repeated(target, new Script(2000, 0), 50, warmupMillis, windowMillis);
  }

  List<Row> throughput() throws IOException, InterruptedException, BenchFailure {
    long window = lab.options().windowMillis();
    Pair pair = both("throughput", target -> fullSpeed(target, 2_000, window));
    return List.of(
        pair.row("50 streams without pause: tokens/s", 0, Result::tokensPerSecond)
            .within(Budget.atLeast(100_000, 250_000)));
  }

  List<Row> shortTurns() throws IOException, InterruptedException, BenchFailure {
    long window = lab.options().windowMillis();
    Pair pair =
        both("short-turns", target -> Scenario.repeated(target, SHORT_TURN, 32, 2_000, window));
    return List.of(
        pair.row("32 clients, new session of 10 tokens each: turns/s", 0, Result::turnsPerSecond)
            .within(Budget.atLeast(2_000, 4_000)));
  }

  List<Row> firstDelta() throws IOException, InterruptedException, BenchFailure {
    Pair pair =
        both(
            "first-delta",
            target ->
                Scenario.oneByOne(
                    target,
                    TIMED_TURN,
                    UNTIMED_TURNS + TIMED_TURNS,
                    false,
                    ONE_BY_ONE_LIMIT_MILLIS));
    Pair.Figure median = result -> Percentile.median(timed(result));
    double over = pair.engineFigure(median) - median.of(pair.direct());
    return List.of(
        pair.row("one stream, time to first delta: median, ms", 2, median),
        pair.row(
            "one stream, time to first delta: p99, ms",
            2,
            result -> Percentile.of(99, timed(result))),
        Row.of("one stream, median over direct, ms", 2, Double.NaN, over)
            .within(Budget.atMost(2.5, 1)));
  }

  private static List<Double> timed(Result result) {
    List<Double> all = result.firstDeltaMillis();
    return all.subList(Math.min(UNTIMED_TURNS, all.size()), all.size());
  }

  /** Several sessions, because five turns of one are too few for a median to stand still. */
  List<Row> turn200() throws IOException, InterruptedException, BenchFailure {
    List<Double> first = new ArrayList<>();
    List<Double> last = new ArrayList<>();
    for (int session = 0; session < SESSIONS && engine.isPresent(); session++) {
      List<Double> turns =
          lab.run(
                  "turn-200",
                  Scenario.oneByOne(
                      engine.get(), SHORT_TURN, SESSION_TURNS, true, ONE_BY_ONE_LIMIT_MILLIS))
              .turnMillis();
      boolean isWarmUp = session == 0;
      if (turns.size() == SESSION_TURNS && !isWarmUp) {
        first.addAll(turns.subList(0, COMPARED_TURNS));
        last.addAll(turns.subList(SESSION_TURNS - COMPARED_TURNS, SESSION_TURNS));
      }
    }
    // The aim is 1.0; two medians of the same thing differ by a few percent.
    double ratio = Percentile.median(last) / Percentile.median(first);
    return List.of(
        Row.of("turns 1 to 5 of a session: median, ms", 2, Double.NaN, Percentile.median(first)),
        Row.of("turns 196 to 200: median, ms", 2, Double.NaN, Percentile.median(last)),
        Row.of("turn 200 against turn 1", 2, Double.NaN, ratio).within(Budget.atMost(1.2, 1.05)));
  }

  List<Row> paced(int streams, Budget delivered, Optional<Budget> cpu)
      throws IOException, InterruptedException, BenchFailure {
    long window = lab.options().windowMillis();
    String name = "%,d paced streams: ".formatted(streams);
    Pair pair =
        both(
            "paced-" + streams,
            target -> Scenario.paced(target, PAUSE_MILLIS, streams, streams * 2L, 1_000, window));
    Row cpuRow =
        Row.of(
            name + "engine's CPU-s per 100k tokens",
            1,
            Double.NaN,
            pair.engineFigure(result -> cpu(result, 2) / result.tokens() * 100_000));
    return List.of(
        pair.row(
                name + "delivered, %",
                1,
                result -> 100 * result.deliveredShare(streams, PAUSE_MILLIS))
            .within(delivered),
        pair.row(name + "p99 gap between deltas, ms", 1, Result::gapP99Millis),
        cpu.map(cpuRow::within).orElse(cpuRow),
        pair.row(
            name + "cores busy with model and client",
            2,
            result -> (cpu(result, 0) + cpu(result, 1)) / result.windowSeconds()));
  }

  private static double cpu(Result result, int process) {
    return result.cpu().processes().get(process);
  }

  private Pair both(String label, Load load)
      throws IOException, InterruptedException, BenchFailure {
    Result direct = lab.run(label, load.on(lab.direct()).measuring(pids));
    if (engine.isEmpty()) {
      return new Pair(direct, Optional.empty());
    }
    return new Pair(direct, Optional.of(lab.run(label, load.on(engine.get()).measuring(pids))));
  }
}
