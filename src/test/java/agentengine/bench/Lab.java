package agentengine.bench;

import agentengine.bench.load.LoadClient;
import agentengine.bench.load.Result;
import agentengine.bench.load.Scenario;
import agentengine.bench.load.Target;
import agentengine.bench.model.FakeModel;
import agentengine.bench.model.Script;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The set-up of a run: the fake model, the load client, and engines on fresh directories. */
final class Lab {

  private static final long SETTLE_MILLIS = 500;
  private static final int IDLE_POLLS = 60;

  /** Above what the kernel does for our own sockets outside of our processes. */
  private static final double DISTURBING_CORES = 0.3;

  private final Children children;
  private final BenchOptions options;
  private final Path directory;
  private final ChildJvm model;
  private final int modelPort;
  private final ChildJvm client;
  private final EngineApi api = new EngineApi();
  private final JsonMapper json = new JsonMapper();
  private final List<String> problems = new ArrayList<>();
  private final List<String> disturbances = new ArrayList<>();

  Lab(Children children, BenchOptions options, Path directory) throws IOException, BenchFailure {
    this.children = children;
    this.options = options;
    this.directory = directory;
    this.model = ChildJvm.start(children, FakeModel.class);
    this.modelPort = Integer.parseInt(model.readLine());
    this.client = ChildJvm.start(children, LoadClient.class);
  }

  /**
   * Runs model and client until they are compiled: a cold client would be measured as the engine.
   */
  void warmUp() throws IOException, InterruptedException, BenchFailure {
    api.activeAnswers(modelPort);
    run("warm-up", Scenario.repeated(direct(), new Script(2000, 0), 50, 0, 2_000));
    run("warm-up", Scenario.repeated(direct(), new Script(10, 0), 32, 0, 3_000));
    run("warm-up", Scenario.paced(direct(), 20, 200, 400, 0, 1_500));
  }

  Target direct() {
    return Target.direct(modelPort);
  }

  EngineApi api() {
    return api;
  }

  BenchOptions options() {
    return options;
  }

  long modelPid() {
    return model.pid();
  }

  long clientPid() {
    return client.pid();
  }

  /** Turns that went wrong, one line for each load that had some. */
  List<String> problems() {
    return List.copyOf(problems);
  }

  /** Loads during which the machine had other work too, one line each. */
  List<String> disturbances() {
    return List.copyOf(disturbances);
  }

  void problem(String line) {
    problems.add(line);
  }

  Result run(String label, Scenario scenario)
      throws IOException, InterruptedException, BenchFailure {
    awaitIdleModel();
    Result result = json.readValue(client.ask(json.writeValueAsString(scenario)), Result.class);
    if (result.failed() > 0) {
      problem(
          "%s, %s: %d turns failed, the first with: %s"
              .formatted(
                  label, scenario.target().protocol(), result.failed(), result.firstFailure()));
    }
    if (result.unfinished() > 0) {
      problem(
          "%s, %s: %d turns had not ended 15 s after the window"
              .formatted(label, scenario.target().protocol(), result.unfinished()));
    }
    noteDisturbance(label, scenario, result);
    return result;
  }

  private void noteDisturbance(String label, Scenario scenario, Result result) {
    double cores = result.cpu().elsewhere() / result.windowSeconds();
    if (!scenario.pids().isEmpty() && cores > DISTURBING_CORES) {
      disturbances.add(
          "%s, %s: other processes kept %.1f cores busy meanwhile"
              .formatted(label, scenario.target().protocol(), cores));
    }
  }

  /** What an earlier load left running must not be paid for by the next. */
  private void awaitIdleModel() throws IOException, InterruptedException {
    Thread.sleep(SETTLE_MILLIS);
    for (int poll = 0; poll < IDLE_POLLS && api.activeAnswers(modelPort) > 0; poll++) {
      Thread.sleep(SETTLE_MILLIS);
    }
  }

  EngineProcess spawnEngine() throws IOException {
    Path engineDirectory = Files.createTempDirectory(directory, "engine-");
    return EngineProcess.spawn(children, options, engineDirectory, modelPort);
  }

  void stop(EngineProcess engine) throws InterruptedException {
    children.stop(engine.process());
  }
}
