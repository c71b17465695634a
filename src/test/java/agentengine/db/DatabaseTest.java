package agentengine.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.testing.TestDatabases;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class DatabaseTest {
  private final TestDatabases.Fresh fresh;

  DatabaseTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void aWriterReadsItsOwnWriteAtOnce() {
    Database database = fresh.open();

    for (int i = 1; i <= 100; i++) {
      Nodes.insert(database, "node-" + i);
      assertThat(Nodes.count(database)).isEqualTo(i);
    }
  }

  @Test
  void whatManyWroteAtOnceIsThereAfterARestart() throws Exception {
    Database database = fresh.open();
    List<Callable<Boolean>> writers = new ArrayList<>();
    for (int i = 1; i <= 1_000; i++) {
      String id = "node-" + i;
      writers.add(
          () -> {
            Nodes.insert(database, id);
            return true;
          });
    }

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> written : threads.invokeAll(writers)) {
        assertThat(written.get()).isTrue();
      }
    }
    database.close();

    assertThat(Nodes.count(fresh.open())).isEqualTo(1_000);
  }

  @Test
  void aTransactionThatFailsLeavesNothingBehind() {
    Database database = fresh.open();

    assertThatThrownBy(
            () ->
                database.write(
                    handle -> {
                      Nodes.insert(handle, "half");
                      throw new IllegalStateException("in the middle");
                    }))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("in the middle");

    assertThat(Nodes.count(database)).isZero();
  }

  @Test
  void aReadSeesNothingOfATransactionThatIsStillRunning() {
    Database database = fresh.open();

    long seen =
        database.write(
            handle -> {
              Nodes.insert(handle, "unfinished");
              return Nodes.count(database);
            });

    assertThat(seen).isZero();
    assertThat(Nodes.count(database)).isEqualTo(1);
  }

  @Test
  void aWriteUnderAnInterruptIsDoneAndTheInterruptKept() {
    Database database = fresh.open();

    Thread.currentThread().interrupt();
    Nodes.insert(database, "interrupted");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(Nodes.count(database)).isEqualTo(1);
  }

  @Test
  void everyCommitIsMeasured() {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    Database database = fresh.open(meters);

    Nodes.insert(database, "measured");

    assertThat(meters.get("engine.store.commit").timer().count()).isEqualTo(1);
  }

  @Test
  void aDatabaseNewerThanTheProgramIsRefusedAndLeftAsItWas() throws Exception {
    Database database = fresh.open();
    database.write(
        handle ->
            handle.execute(
                """
                INSERT INTO flyway_schema_history
                  (installed_rank, version, description, type, script, checksum, installed_by,
                   installed_on, execution_time, success)
                SELECT 99, '999', 'future', type, 'V999__future.sql', 1, installed_by,
                  installed_on, 0, success
                FROM flyway_schema_history
                WHERE version = '1'
                """));
    database.close();
    List<String> before = content();

    assertThatThrownBy(fresh::open)
        .isInstanceOf(StoreUnavailable.class)
        .hasMessage(
            "the database is of version 999, which is newer than this program;"
                + " start the program that wrote it");

    assertThat(content()).isEqualTo(before);
  }

  /** What the database holds, read past the program. */
  private List<String> content() throws SQLException {
    String jdbcUrl =
        switch (fresh) {
          case TestDatabases.Sqlite sqlite ->
              "jdbc:sqlite:" + sqlite.dataDirectory().resolve("engine.db");
          case TestDatabases.Postgres postgres ->
              "jdbc:" + postgres.url().replace("postgres:postgres@", "") + "?user=postgres";
        };
    String tables =
        switch (fresh) {
          case TestDatabases.Sqlite _ -> "SELECT name FROM sqlite_master ORDER BY name";
          case TestDatabases.Postgres _ -> "SELECT relname FROM pg_class ORDER BY relname";
        };
    try (Connection connection = DriverManager.getConnection(jdbcUrl)) {
      List<String> content = new ArrayList<>(texts(connection, tables));
      content.addAll(
          texts(connection, "SELECT script FROM flyway_schema_history ORDER BY installed_rank"));
      return content;
    }
  }

  private static List<String> texts(Connection connection, String sql) throws SQLException {
    List<String> texts = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        texts.add(rows.getString(1));
      }
    }
    return texts;
  }
}
