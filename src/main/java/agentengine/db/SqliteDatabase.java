package agentengine.db;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import org.sqlite.SQLiteErrorCode;

/** SQLite in one file: a single writer with group commit, and a few readers beside it. */
public final class SqliteDatabase implements Database {
  private static final int READERS = 4;
  static final int BUSY_TIMEOUT_MILLIS = 10_000;

  private final DirectoryLock directory;
  private final GroupCommit writer;
  private final BlockingQueue<Handle> readers = new ArrayBlockingQueue<>(READERS);
  private volatile boolean closed;

  private SqliteDatabase(DirectoryLock directory, GroupCommit writer, Jdbi jdbi) {
    this.directory = directory;
    this.writer = writer;
    for (int i = 0; i < READERS; i++) {
      readers.add(jdbi.open());
    }
  }

  /** Opens, and if need be makes, the database file in a data directory of our own. */
  public static SqliteDatabase open(Path dataDirectory, MeterRegistry meters) {
    DirectoryLock directory = DirectoryLock.acquire(dataDirectory);
    try {
      Path file = file(dataDirectory);
      SQLiteDataSource source = source(file);
      Migrations.sqlite(source);
      restrict(file);
      Jdbi jdbi = QuietJdbi.create(source);
      jdbi.setStatementBuilderFactory(_ -> new PreparedStatements());
      return new SqliteDatabase(directory, new GroupCommit(jdbi.open(), meters), jdbi);
    } catch (RuntimeException e) {
      directory.close();
      throw e instanceof StoreUnavailable
          ? e
          : new StoreUnavailable("the database in " + dataDirectory + " cannot be opened", e);
    }
  }

  static Path file(Path dataDirectory) {
    return dataDirectory.resolve("engine.db");
  }

  private static SQLiteDataSource source(Path file) {
    SQLiteConfig config = new SQLiteConfig();
    config.setJournalMode(SQLiteConfig.JournalMode.WAL);
    config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
    config.setBusyTimeout(BUSY_TIMEOUT_MILLIS);
    config.enforceForeignKeys(true);
    // Otherwise the driver asks for the last row id after every insert.
    config.setGetGeneratedKeys(false);
    SQLiteDataSource source = new SQLiteDataSource(config);
    source.setUrl("jdbc:sqlite:" + file.toAbsolutePath());
    return source;
  }

  private static void restrict(Path file) {
    try {
      Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
    } catch (IOException | UnsupportedOperationException _) {
      // A file system without permissions protects the file in its own way.
    }
  }

  @Override
  public <T extends @Nullable Object> T read(Work<T> work) {
    Handle handle = Uninterrupted.take(readers);
    try {
      if (closed) {
        throw new StoreUnavailable("the store is closed");
      }
      return work.run(handle);
    } finally {
      readers.add(handle);
    }
  }

  @Override
  public <T extends @Nullable Object> T write(Work<T> work) {
    return writer.submit(work);
  }

  @Override
  public void lock(Handle handle, String name) {
    // There is one writer: every transaction is alone already.
  }

  @Override
  public boolean shared() {
    return false;
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    writer.close();
    List<Handle> all = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      all.add(Uninterrupted.take(readers));
    }
    closed = true;
    all.forEach(Handle::close);
    // Back to where late readers wait for one, so that they get an answer.
    readers.addAll(all);
    directory.close();
  }

  /** Whether an error says that the disk is full. */
  static boolean isDiskFull(Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof SQLException sql && sql.getErrorCode() == SQLiteErrorCode.SQLITE_FULL.code) {
        return true;
      }
    }
    return false;
  }
}
