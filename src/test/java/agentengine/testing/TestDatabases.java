package agentengine.testing;

import agentengine.db.Database;
import agentengine.db.PostgresDatabase;
import agentengine.db.SqliteDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Real, empty databases for tests. A test of a store runs against every kind:
 *
 * <pre>{@code
 * @ParameterizedClass
 * @EnumSource
 * class StoreTest {
 *   private final TestDatabases.Fresh fresh;
 *
 *   StoreTest(TestDatabases.Kind kind) {
 *     fresh = TestDatabases.fresh(kind);
 *   }
 *
 *   @AfterEach
 *   void close() {
 *     fresh.close();
 *   }
 * }
 * }</pre>
 */
public final class TestDatabases {
  // Each fresh database would tell its migrations. Held here because loggers are kept only weakly.
  private static final List<Logger> TALKATIVE =
      List.of(Logger.getLogger("org.flywaydb"), Logger.getLogger("com.zaxxer.hikari"));

  static {
    TALKATIVE.forEach(logger -> logger.setLevel(Level.WARNING));
  }

  private TestDatabases() {}

  /** The databases that the engine runs on. */
  public enum Kind {
    SQLITE,
    POSTGRES
  }

  /** A database of that kind that nobody has opened yet. */
  public static Fresh fresh(Kind kind) {
    Path directory = temporaryDirectory();
    return switch (kind) {
      case SQLITE -> new Sqlite(directory, new ConcurrentLinkedDeque<>());
      case POSTGRES -> new Postgres(directory, new ConcurrentLinkedDeque<>(), Server.newDatabase());
    };
  }

  /** A database of its own for one test, gone when closed. */
  public sealed interface Fresh extends AutoCloseable {
    /** A data directory of its own, for what the engine keeps beside the database. */
    Path dataDirectory();

    /** Opens the database; on PostgreSQL each call is one more node. Closed with this. */
    default Database open() {
      return open(new SimpleMeterRegistry());
    }

    Database open(MeterRegistry meters);

    /** Where JDBC finds it, for a look past the engine while that has it open. */
    String jdbcUrl();

    @Override
    void close();
  }

  /** A data directory with SQLite. */
  public record Sqlite(Path dataDirectory, Deque<Database> opened) implements Fresh {
    @Override
    public Database open(MeterRegistry meters) {
      return remember(opened, SqliteDatabase.open(dataDirectory, meters));
    }

    @Override
    public String jdbcUrl() {
      return "jdbc:sqlite:" + dataDirectory.resolve("engine.db");
    }

    @Override
    public void close() {
      opened.forEach(Database::close);
      delete(dataDirectory);
    }
  }

  /**
   * A database on the PostgreSQL server of this JVM.
   *
   * @param url {@code postgresql://user:password@host:port/database}, as the engine takes it
   */
  public record Postgres(Path dataDirectory, Deque<Database> opened, String url) implements Fresh {
    @Override
    public Database open(MeterRegistry meters) {
      return remember(opened, PostgresDatabase.open(URI.create(url), meters));
    }

    @Override
    public String jdbcUrl() {
      return "jdbc:"
          + url.replace(Server.USER_AND_PASSWORD + "@", "")
          + "?user=postgres&password=postgres";
    }

    @Override
    public void close() {
      opened.forEach(Database::close);
      Server.drop(url);
      delete(dataDirectory);
    }
  }

  private static Database remember(Deque<Database> opened, Database database) {
    opened.push(database);
    return database;
  }

  private static Path temporaryDirectory() {
    try {
      return Files.createTempDirectory("engine-test");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path directory) {
    try (Stream<Path> files = Files.walk(directory)) {
      List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
      for (Path file : deepestFirst) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Started by the first test that needs it, and ended with the JVM by its own hook. */
  private static final class Server {
    private static final String USER_AND_PASSWORD = "postgres:postgres";
    private static final EmbeddedPostgres POSTGRES = start();

    private static EmbeddedPostgres start() {
      try {
        return EmbeddedPostgres.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("full_page_writes", "off")
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    static String newDatabase() {
      String name = "test_" + UUID.randomUUID().toString().replace("-", "");
      execute("CREATE DATABASE " + name);
      return "postgresql://" + USER_AND_PASSWORD + "@localhost:" + POSTGRES.getPort() + "/" + name;
    }

    static void drop(String url) {
      execute("DROP DATABASE " + url.substring(url.lastIndexOf('/') + 1) + " WITH (FORCE)");
    }

    private static void execute(String sql) {
      try (Connection connection = POSTGRES.getPostgresDatabase().getConnection();
          Statement statement = connection.createStatement()) {
        statement.execute(sql);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
