package agentengine.db;

import org.jdbi.v3.core.Handle;

/** Rows of a table that happens to be simple, for tests that only need some table. */
final class Nodes {
  private Nodes() {}

  static void insert(Database database, String id) {
    database.write(
        handle -> {
          insert(handle, id);
          return true;
        });
  }

  static void insert(Handle handle, String id) {
    handle
        .createUpdate("INSERT INTO node (id, expires_at) VALUES (:id, 0)")
        .bind("id", id)
        .execute();
  }

  static long count(Database database) {
    return database.read(Nodes::count);
  }

  static long count(Handle handle) {
    return handle.createQuery("SELECT COUNT(*) FROM node").mapTo(Long.class).one();
  }
}
