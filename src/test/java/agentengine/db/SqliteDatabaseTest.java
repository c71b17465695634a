package agentengine.db;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.testing.TestDatabases;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class SqliteDatabaseTest {
  private final TestDatabases.Fresh fresh = TestDatabases.fresh(TestDatabases.Kind.SQLITE);

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void aSecondProcessOnTheSameDataDirectoryIsRefusedInOneLine() {
    fresh.open();

    assertThatThrownBy(fresh::open)
        .isInstanceOf(StoreUnavailable.class)
        .hasMessage(
            "the data directory "
                + fresh.dataDirectory()
                + " is in use by another process; stop that one or set ENGINE_DATA_DIR");
  }

  @Test
  void aClosedDataDirectoryCanBeOpenedAgain() {
    fresh.open().close();

    assertThat(Nodes.count(fresh.open())).isZero();
  }

  @Test
  @Timeout(60)
  void aClosedStoreCanBeClosedAgainAndAnswersNobody() {
    Database database = fresh.open();
    database.close();

    database.close();

    assertThatThrownBy(() -> Nodes.count(database)).isInstanceOf(StoreUnavailable.class);
  }

  @Test
  void aDataDirectoryThatIsNotThereIsMadeForItsOwnerOnly() throws IOException {
    Path directory = fresh.dataDirectory().resolve("deep/data");

    SqliteDatabase.open(directory, new SimpleMeterRegistry()).close();

    assertThat(permissions(directory)).isEqualTo("rwx------");
    assertThat(permissions(directory.resolve("engine.db"))).isEqualTo("rw-------");
  }

  @Test
  void aFileThatIsNoDatabaseIsRefusedAndItsDirectoryFreed() throws IOException {
    Path file = fresh.dataDirectory().resolve("engine.db");
    Files.writeString(file, "these are not the bytes of a database".repeat(100));

    assertThatThrownBy(fresh::open)
        .isInstanceOf(StoreUnavailable.class)
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));

    Files.delete(file);
    assertThat(Nodes.count(fresh.open())).isZero();
  }

  @Test
  void nodesDoNotShareIt() {
    assertThat(fresh.open().shared()).isFalse();
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}
