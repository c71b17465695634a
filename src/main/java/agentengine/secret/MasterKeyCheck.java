package agentengine.secret;

import agentengine.db.Database;
import org.jdbi.v3.core.Handle;

/** Proves at start that the master key opens what is in the database. */
public final class MasterKeyCheck {
  private static final String PURPOSE = "master_key_check";
  private static final Secret KNOWN_TEXT = new Secret("agent-engine");

  private MasterKeyCheck() {}

  /**
   * Opens the stored proof; the first start stores it.
   *
   * @throws MasterKey.WrongKeyException when the database was written under another key
   */
  public static void run(Database database, MasterKey key) {
    String candidate = key.seal(KNOWN_TEXT, PURPOSE);
    // Of two nodes that start at once one stores its proof, and both must open that one.
    String stored = database.write(handle -> storeIfAbsent(handle, candidate));
    Secret _ = key.open(stored, PURPOSE);
  }

  private static String storeIfAbsent(Handle handle, String candidate) {
    handle
        .createUpdate(
            """
            INSERT INTO master_key_check (id, sealed) VALUES (1, :sealed)
            ON CONFLICT (id) DO NOTHING
            """)
        .bind("sealed", candidate)
        .execute();
    return handle
        .createQuery("SELECT sealed FROM master_key_check WHERE id = 1")
        .mapTo(String.class)
        .one();
  }
}
