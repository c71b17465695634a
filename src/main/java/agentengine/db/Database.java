package agentengine.db;

import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/**
 * The store. SQL belongs to the capability that owns the table; this class only says how it runs:
 * beside the writer, or in one transaction that is on disk when the call returns.
 */
public sealed interface Database extends AutoCloseable permits SqliteDatabase, PostgresDatabase {
  /** A piece of work on one connection. */
  @FunctionalInterface
  interface Work<T extends @Nullable Object> {
    T run(Handle handle);
  }

  /** Runs queries, beside whatever is being written. The work may run on another thread. */
  <T extends @Nullable Object> T read(Work<T> work);

  /**
   * Runs a transaction, whole or not at all. When it returns, its effects survive a power cut. The
   * work may run on another thread and must do nothing but SQL.
   */
  <T extends @Nullable Object> T write(Work<T> work);

  /**
   * Inside {@link #write}: waits until no other transaction of any node holds the lock of that
   * name, and holds it to the end of this transaction.
   */
  void lock(Handle handle, String name);

  /** Whether other processes may use the same database beside this one. */
  boolean shared();

  @Override
  void close();
}
