package agentengine.config;

import agentengine.db.Database;
import agentengine.json.Fields;
import agentengine.json.Json;
import org.jdbi.v3.core.Handle;

/** The settings in force: in the store, and at hand for every turn. */
public final class SettingsStore {
  private volatile Settings current;

  public SettingsStore(Database db) {
    current = db.read(SettingsStore::load);
  }

  public Settings current() {
    return current;
  }

  private static Settings load(Handle handle) {
    return handle
        .createQuery("SELECT document FROM settings WHERE id = 1")
        .mapTo(String.class)
        .findOne()
        .map(document -> Settings.read(Fields.of(Json.parse(document))))
        .orElse(Settings.DEFAULT);
  }

  /** Writes settings inside the caller's transaction; {@link #use} makes them count afterwards. */
  void put(Handle handle, Settings settings) {
    handle
        .createUpdate(
            """
            INSERT INTO settings (id, document) VALUES (1, :document)
            ON CONFLICT (id) DO UPDATE SET document = excluded.document
            """)
        .bind("document", Json.write(settings.toJson()))
        .execute();
  }

  void use(Settings settings) {
    current = settings;
  }
}
