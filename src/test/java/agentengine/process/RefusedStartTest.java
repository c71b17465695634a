package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.db.Database;
import agentengine.db.SqliteDatabase;
import agentengine.secret.MasterKey;
import agentengine.secret.MasterKeyCheck;
import agentengine.testing.process.EngineProcess;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** A start that cannot be is told in one line, changes nothing and ends with status 1. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RefusedStartTest {
  private static final int CLOSED_PORT = closedPort();

  // It tries for ten seconds, and does so while the other tests run.
  private static @Nullable EngineProcess withoutDatabase;

  private final Path directory;
  private final EngineProcess.Launch launch;

  RefusedStartTest(@TempDir Path directory) {
    this.directory = directory;
    this.launch = EngineProcess.Launch.in(directory);
  }

  @BeforeAll
  static void startWithoutDatabase(@TempDir Path directory) {
    withoutDatabase =
        EngineProcess.Launch.in(directory)
            .with(Variable.DATABASE_URL, "postgresql://me:sesame@127.0.0.1:" + CLOSED_PORT + "/db")
            .begin();
  }

  @AfterAll
  static void stop() {
    Objects.requireNonNull(withoutDatabase).close();
  }

  private static int closedPort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Order(Integer.MAX_VALUE) // by now it has tried long enough
  void a_database_that_is_not_there() {
    assertThat(refusal(Objects.requireNonNull(withoutDatabase).end()))
        .contains("127.0.0.1:" + CLOSED_PORT)
        .doesNotContain("sesame");
  }

  @Test
  void a_second_engine_on_the_same_data_and_one_on_the_same_port(@TempDir Path elsewhere) {
    try (EngineProcess first = launch.start()) {
      assertThat(refusal(launch)).contains(directory + "/data").contains("in use");

      String port = Integer.toString(first.port());
      assertThat(refusal(EngineProcess.Launch.in(elsewhere).with(Variable.PORT, port)))
          .contains(port)
          .contains("in use")
          .contains("ENGINE_PORT");

      assertThat(first.isAlive()).isTrue();
      assertThat(first.client().get("/health").path("status").textValue()).isEqualTo("ok");
    }
  }

  @Test
  void a_database_that_is_newer_than_the_program() {
    try (Database db = open()) {
      db.write(
          handle ->
              handle.execute(
                  """
                  INSERT INTO flyway_schema_history
                    (installed_rank, version, description, type, script, checksum, installed_by,
                     installed_on, execution_time, success)
                  VALUES (1000, '999', 'future', 'SQL', 'V999__future.sql', 1, 'me',
                     '2030-01-01 00:00:00', 1, 1)
                  """));
    }
    List<Map<String, Object>> before = schema();

    assertThat(refusal(launch)).contains("999").contains("newer");
    assertThat(schema()).isEqualTo(before);
    assertThat(directory.resolve("data/master.key")).doesNotExist();
  }

  @Test
  void a_master_key_that_does_not_open_the_data() {
    byte[] other = new byte[32];
    other[0] = 1;
    String wrong = Base64.getEncoder().encodeToString(other);
    try (Database db = open()) {
      MasterKeyCheck.run(db, MasterKey.ofBase64(Base64.getEncoder().encodeToString(new byte[32])));
    }

    assertThat(refusal(launch.with(Variable.MASTER_KEY, wrong)))
        .startsWith("engine: ENGINE_MASTER_KEY ")
        .doesNotContain(wrong);
  }

  @Test
  void an_option_with_a_wrong_value() {
    assertThat(refusal(launch.with(Variable.SHUTDOWN_GRACE, "soon")))
        .isEqualTo(
            "engine: ENGINE_SHUTDOWN_GRACE must be a duration from 0s to 1h, not 'soon';"
                + " for example 30s");
    assertThat(refusal(launch.with(Variable.OTEL_EXPORTER_OTLP_ENDPOINT, "localhost:4318")))
        .isEqualTo(
            "engine: OTEL_EXPORTER_OTLP_ENDPOINT is not an http or https address without user name"
                + " and password; for example http://localhost:4318");
  }

  @Test
  void a_configuration_document_with_mistakes() {
    String file = directory + "/engine.yaml";

    EngineProcess.End end =
        launch
            .withConfiguration(
                "version: 1\nagents:\n  helper:\n    model: nowhere\n    tolls: []\n")
            .run();

    assertThat(end.status()).isEqualTo(1);
    assertThat(end.out()).isEmpty();
    assertThat(end.err())
        .satisfiesExactly(
            line ->
                assertThat(line)
                    .startsWith("engine: " + file + ": line 4, column 5: agents.helper.model: "),
            line ->
                assertThat(line)
                    .startsWith("engine: " + file + ": line 5, column 5: agents.helper.tolls: "));
  }

  /** The one line that the engine has to say, without its first words. */
  private static String refusal(EngineProcess.Launch launch) {
    return refusal(launch.run());
  }

  private static String refusal(EngineProcess.End end) {
    assertThat(end.status()).as("status of %s", end).isEqualTo(1);
    assertThat(end.out()).isEmpty();
    assertThat(end.err()).hasSize(1);
    assertThat(end.err().getFirst()).startsWith("engine: ");
    return end.err().getFirst();
  }

  private Database open() {
    return SqliteDatabase.open(directory.resolve("data"), new SimpleMeterRegistry());
  }

  /** What the database says of itself, read without the engine's help. */
  private List<Map<String, Object>> schema() {
    return Jdbi.create("jdbc:sqlite:" + directory.resolve("data/engine.db"))
        .withHandle(
            handle ->
                handle
                    .createQuery(
                        """
                        SELECT type, name, sql, NULL AS version FROM sqlite_schema
                        UNION ALL
                        SELECT 'migration', description, script, version FROM flyway_schema_history
                        ORDER BY 1, 2, 3
                        """)
                    .mapToMap()
                    .list());
  }
}
