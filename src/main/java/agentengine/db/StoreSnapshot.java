package agentengine.db;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.JdbiException;
import org.jdbi.v3.core.transaction.TransactionIsolationLevel;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;

/**
 * A look at one state of a store, also beside an engine that runs on it. It changes nothing: it
 * takes no lock, migrates nothing and makes no store where there is none.
 */
public final class StoreSnapshot {
  private StoreSnapshot() {}

  /** Looks at the database file in a data directory. */
  public static <T extends @Nullable Object> T ofSqlite(Path dataDirectory, Database.Work<T> work) {
    Path file = SqliteDatabase.file(dataDirectory);
    if (!Files.exists(file)) {
      throw new StoreUnavailable(
          "there is no store in " + dataDirectory.toAbsolutePath().normalize());
    }
    try (Handle handle = QuietJdbi.create(source(file)).open()) {
      return handle.inTransaction(work::run);
    } catch (JdbiException e) {
      throw unreadable("in " + dataDirectory.toAbsolutePath().normalize(), e);
    }
  }

  /**
   * SQLite keeps two small files beside a database that somebody looks at, also an engine that runs
   * has them. Where it cannot make them, as in a copy on read-only storage, nobody writes either.
   */
  private static SQLiteDataSource source(Path file) {
    Path log = file.resolveSibling(file.getFileName() + "-wal");
    boolean cannotChange =
        !Files.isWritable(file.toAbsolutePath().getParent()) && !Files.exists(log);
    SQLiteConfig config = new SQLiteConfig();
    config.setReadOnly(true);
    config.setBusyTimeout(SqliteDatabase.BUSY_TIMEOUT_MILLIS);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl(
        "jdbc:sqlite:" + file.toAbsolutePath().toUri() + (cannotChange ? "?immutable=1" : ""));
    return source;
  }

  /** Looks at a PostgreSQL database. */
  public static <T extends @Nullable Object> T ofPostgres(URI url, Database.Work<T> work) {
    try (Handle handle = QuietJdbi.create(PostgresDatabase.source(url)).open()) {
      handle.setReadOnly(true);
      return handle.inTransaction(TransactionIsolationLevel.REPEATABLE_READ, work::run);
    } catch (JdbiException e) {
      throw unreadable("at " + PostgresDatabase.where(url), e);
    }
  }

  private static StoreUnavailable unreadable(String place, JdbiException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new StoreUnavailable(
        "the database " + place + " cannot be read: " + cause.getMessage(), e);
  }
}
