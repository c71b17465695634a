package agentengine.config;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.json.Fields;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jdbi.v3.core.Handle;

/**
 * The settings in force: in the store, and at hand for every request. Where other processes use the
 * same store, what they change counts here about a second later.
 */
public final class SettingsStore implements AutoCloseable {
  private static final Logger LOG = Logger.getLogger(SettingsStore.class.getName());
  private static final String LOCK = "settings";
  private static final Duration PERIOD = Duration.ofSeconds(1);

  private final Database db;
  private final AdminLog adminLog;
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile Settings current = Settings.DEFAULT;

  public SettingsStore(Database db, AdminLog adminLog) {
    this.db = db;
    this.adminLog = adminLog;
    refresh();
    if (db.shared()) {
      Thread _ = Thread.ofVirtual().name("settings").start(this::followOthers);
    }
  }

  public Settings current() {
    return current;
  }

  /** Changes the settings that the body has; null sets one, or a group, back to its default. */
  public Settings update(String actor, JsonNode body) {
    if (!(body instanceof ObjectNode changes)) {
      throw EngineException.badRequest("the body must be a JSON object");
    }
    db.write(
        handle -> {
          db.lock(handle, LOCK);
          ObjectNode whole = stored(handle).toJson();
          merge(whole, changes);
          Fields fields = Fields.of(whole);
          Settings settings = Settings.read(fields);
          fields.finish();
          put(handle, actor, settings, changes);
          return null;
        });
    return refresh();
  }

  private static void merge(ObjectNode target, ObjectNode changes) {
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      if (change.getValue() instanceof ObjectNode inner
          && target.get(change.getKey()) instanceof ObjectNode group) {
        merge(group, inner);
      } else {
        target.set(change.getKey(), change.getValue());
      }
    }
  }

  /** Replaces a group inside the caller's transaction; {@link #refresh} makes it count. */
  void putGroup(Handle handle, String actor, String group, ObjectNode fields) {
    db.lock(handle, LOCK);
    ObjectNode whole = stored(handle).toJson();
    whole.set(group, fields);
    ObjectNode details = Json.object();
    details.set(group, fields);
    put(handle, actor, Settings.read(Fields.of(whole)), details);
  }

  private void put(Handle handle, String actor, Settings settings, ObjectNode details) {
    handle
        .createUpdate(
            """
            INSERT INTO settings (id, document) VALUES (1, :document)
            ON CONFLICT (id) DO UPDATE SET document = excluded.document
            """)
        .bind("document", Json.write(settings.toJson()))
        .execute();
    adminLog.record(handle, actor, "settings.updated", "settings", details);
  }

  /** The settings as the caller's transaction sees them. */
  Settings stored(Handle handle) {
    return handle
        .createQuery("SELECT document FROM settings WHERE id = 1")
        .mapTo(String.class)
        .findOne()
        .map(document -> Settings.read(Fields.of(Json.parse(document))))
        .orElse(Settings.DEFAULT);
  }

  /** Takes over what is stored. One at a time, so that an older state never comes last. */
  synchronized Settings refresh() {
    current = db.read(this::stored);
    return current;
  }

  private void followOthers() {
    try {
      while (!closing.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        refreshIfPossible();
      }
    } catch (InterruptedException _) {
      // Nobody interrupts this thread.
    }
  }

  private void refreshIfPossible() {
    try {
      refresh();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "the settings cannot be read; those known stay in force", e);
    }
  }

  @Override
  public void close() {
    closing.countDown();
  }
}
