package agentengine.testing;

import agentengine.Engine;
import agentengine.config.BootOptions;
import agentengine.config.Variable;
import agentengine.simulator.Simulator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * The real engine on a free port, with an empty database of its own and a simulator as its model:
 * model {@code sim}, tool {@code lookup}, agent {@code helper}, schema {@code help} with chat on,
 * and a rate limit that no test reaches unless it sets its own.
 */
public final class TestEngine implements AutoCloseable {
  private static final String CONFIGURATION =
      """
      version: 1
      models:
        sim:
          type: openai_compatible
          base_url: SIMULATOR
          model_name: scripted
          api_key: key-of-the-model
      tools:
        lookup:
          url: http://127.0.0.1:1/lookup
      agents:
        helper:
          model: sim
          system: You help.
      schemas:
        help:
          entry_agent: helper
          chat_enabled: true
      settings:
        rate_limit: {requests: 1000000, window: 1m}
      """;

  private static final Map<TestDatabases.Kind, TestEngine> SHARED = new ConcurrentHashMap<>();
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final TestDatabases.Fresh database;
  private final Simulator simulator;
  private final Map<Variable, String> options = new EnumMap<>(Variable.class);
  private Engine engine;

  private TestEngine(TestDatabases.Kind kind, Consumer<Map<Variable, String>> adjust) {
    database = TestDatabases.fresh(kind);
    simulator = Simulator.start(0);
    Path configuration = database.dataDirectory().resolve("engine.yaml");
    write(configuration, CONFIGURATION.replace("SIMULATOR", simulator.baseUrl()));
    options.put(Variable.PORT, "0");
    options.put(Variable.DATA_DIR, database.dataDirectory().toString());
    options.put(Variable.CONFIG, configuration.toString());
    options.put(Variable.SHUTDOWN_GRACE, "0s");
    if (database instanceof TestDatabases.Postgres postgres) {
      options.put(Variable.DATABASE_URL, postgres.url());
    }
    adjust.accept(options);
    engine = boot();
  }

  /** The engine that all tests use which neither stop it nor count what is in it. */
  public static TestEngine shared(TestDatabases.Kind kind) {
    return SHARED.computeIfAbsent(
        kind,
        _ -> {
          TestEngine engine = start(kind);
          Runtime.getRuntime().addShutdownHook(new Thread(engine::close));
          return engine;
        });
  }

  /** A name that nothing in a shared engine has yet. */
  public static String freshName() {
    return "test-" + NAMES.incrementAndGet();
  }

  public static TestEngine start(TestDatabases.Kind kind) {
    return new TestEngine(kind, _ -> {});
  }

  /** An engine with other boot options. */
  public static TestEngine start(
      TestDatabases.Kind kind, Consumer<Map<Variable, String>> adjustOptions) {
    return new TestEngine(kind, adjustOptions);
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Engine boot() {
    return new Engine(BootOptions.read(options), System::getenv);
  }

  /** Stops the engine gracefully and starts it again on the same data, on another port. */
  public void restart() {
    engine.close();
    engine = boot();
  }

  public int port() {
    return engine.port();
  }

  public Simulator simulator() {
    return simulator;
  }

  public TestDatabases.Fresh database() {
    return database;
  }

  /** A client with the local session's admin token. */
  public ApiClient admin() {
    return anonymous().withLocalSession();
  }

  /** A client without a token. */
  public ApiClient anonymous() {
    return new ApiClient(engine.port(), "");
  }

  @Override
  public void close() {
    engine.close();
    simulator.close();
    database.close();
  }
}
