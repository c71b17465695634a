package agentengine.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** An engine on a data directory of its own, configured with the fake model and one agent. */
final class EngineProcess {

  private static final long START_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(30);
  private static final long POLL_MILLIS = 2;

  /** Fixed, so that one PostgreSQL database can serve several engines and several runs. */
  private static final String MASTER_KEY = "YWdlbnQtZW5naW5lLWJlbmNobWFyay1tYXN0ZXIta2U=";

  private final Process process;
  private final int port;
  private final Path log;
  private final long spawnedAtNanos;

  private EngineProcess(Process process, int port, Path log, long spawnedAtNanos) {
    this.process = process;
    this.port = port;
    this.log = log;
    this.spawnedAtNanos = spawnedAtNanos;
  }

  static EngineProcess spawn(Children children, BenchOptions options, Path directory, int modelPort)
      throws IOException {
    Path config = Files.writeString(directory.resolve("engine.yaml"), config(modelPort));
    Path log = directory.resolve("engine-output.txt");
    int port = freePort();
    ProcessBuilder builder =
        new ProcessBuilder(options.engineCommand())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    Map<String, String> environment = builder.environment();
    environment.keySet().removeIf(name -> name.startsWith("ENGINE_"));
    environment.put("ENGINE_HOST", "127.0.0.1");
    environment.put("ENGINE_PORT", Integer.toString(port));
    environment.put("ENGINE_DATA_DIR", directory.resolve("data").toString());
    environment.put("ENGINE_CONFIG", config.toString());
    environment.put("ENGINE_MASTER_KEY", MASTER_KEY);
    environment.put("ENGINE_SHUTDOWN_GRACE", "2s");
    if (options.databaseUrl() != null) {
      environment.put("ENGINE_DATABASE_URL", options.databaseUrl());
    }
    long spawnedAtNanos = System.nanoTime();
    return new EngineProcess(children.add(builder.start()), port, log, spawnedAtNanos);
  }

  private static String config(int modelPort) {
    return """
    version: 1
    models:
      fake:
        type: openai_compatible
        base_url: http://127.0.0.1:%d/v1
        model_name: bench
        api_key: bench
    agents:
      bench:
        model: fake
        system: Answer.
    schemas:
      bench:
        entry_agent: bench
        agents: [bench]
        chat_enabled: true
    """
        .formatted(modelPort);
  }

  Process process() {
    return process;
  }

  long pid() {
    return process.pid();
  }

  int port() {
    return port;
  }

  double secondsSinceSpawn() {
    return (System.nanoTime() - spawnedAtNanos) / (double) TimeUnit.SECONDS.toNanos(1);
  }

  /** A refused connection is the cheapest question to a JVM that is busy starting. */
  void awaitPort() throws InterruptedException, IOException, BenchFailure {
    while (!acceptsConnections()) {
      pauseBeforeNextPoll("the port is closed");
    }
  }

  void awaitHealthy(EngineApi api) throws InterruptedException, IOException, BenchFailure {
    awaitPort();
    while (true) {
      String answer = "GET /api/v1/health is not ok";
      try {
        if (api.isHealthy(port)) {
          return;
        }
      } catch (IOException e) {
        answer = e.toString();
      }
      pauseBeforeNextPoll(answer);
    }
  }

  private void pauseBeforeNextPoll(String answer)
      throws InterruptedException, IOException, BenchFailure {
    if (!process.isAlive()) {
      throw new BenchFailure("the engine ended with code " + process.exitValue() + lastLogLine());
    }
    if (System.nanoTime() - spawnedAtNanos > START_LIMIT_NANOS) {
      throw new BenchFailure("the engine was not up after 30 s: " + answer + lastLogLine());
    }
    Thread.sleep(POLL_MILLIS);
  }

  private boolean acceptsConnections() {
    try (Socket probe = new Socket()) {
      probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException notYet) {
      return false;
    }
  }

  /** The end of what the engine printed, for the one line that says why the run stopped. */
  private String lastLogLine() throws IOException {
    List<String> lines =
        new String(Files.readAllBytes(log), StandardCharsets.UTF_8)
            .lines()
            .filter(line -> !line.isBlank())
            .toList();
    return lines.isEmpty() ? "; it printed nothing" : "; its last line: " + lines.getLast();
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
