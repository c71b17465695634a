package agentengine.model;

import agentengine.db.Database;
import agentengine.db.HotStatement;
import org.jdbi.v3.core.Handle;

/**
 * The order of changes to definitions (models, agents, schemas): one at a time, so that a reference
 * does not lose its target meanwhile, and counted, so that a reader knows that what it read still
 * holds.
 */
public final class DefinitionChanges {
  private static final String LOCK = "definitions";
  private static final HotStatement COUNT =
      new HotStatement("SELECT counted FROM definition_changes");

  private DefinitionChanges() {}

  /** Begins a change inside the caller's transaction. */
  public static void begin(Database db, Handle handle) {
    db.lock(handle, LOCK);
    handle.execute("UPDATE definition_changes SET counted = counted + 1");
  }

  /** How many changes there were so far. */
  public static long count(Handle handle) {
    return COUNT.first(handle, row -> row.getLong(1)).orElseThrow();
  }
}
