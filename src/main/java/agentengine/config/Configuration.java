package agentengine.config;

import agentengine.agent.Agents;
import agentengine.agent.Schemas;
import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Json;
import agentengine.limit.RateLimitRules;
import agentengine.model.DefinitionChanges;
import agentengine.model.Models;
import agentengine.secret.MasterKey;
import agentengine.secret.Sha256;
import agentengine.tool.Tools;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.InstantSource;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Collectors;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Applies configuration documents to the store, whole or not at all, and writes it as one. */
public final class Configuration {
  private static final Logger LOG = Logger.getLogger(Configuration.class.getName());
  private static final int MAX_EXPORT_TRIES = 20;

  /** Where a document's definitions go. */
  public record Definitions(
      Models models,
      Tools tools,
      Agents agents,
      Schemas schemas,
      RateLimitRules rateLimits,
      SettingsStore settings) {}

  /** What every store needs. */
  public record Store(Database db, MasterKey masterKey, AdminLog adminLog, InstantSource clock) {}

  /** The last thing done in the transaction that applies a document. */
  private interface Ending {
    void run(Handle handle, Applied applied);
  }

  /** Takes a transaction back after all of it was tried. */
  private static final class OnlyTried extends RuntimeException {
    private final transient Applied applied;

    private OnlyTried(Applied applied) {
      super("only tried", null, false, false);
      this.applied = applied;
    }
  }

  private final Store store;
  private final Database db;
  private final Definitions definitions;
  private final List<Part<?>> parts;
  private final WrittenReferences references;
  private final Export export;
  private final UnaryOperator<@Nullable String> environment;

  public Configuration(
      Store store, Definitions definitions, UnaryOperator<@Nullable String> environment) {
    this.store = store;
    this.db = store.db();
    this.definitions = definitions;
    this.parts = Parts.of(definitions, environment);
    this.references = new WrittenReferences(store.masterKey());
    this.export = new Export(parts, references);
    this.environment = environment;
  }

  /** Whether nothing was ever declared here, by a document or through the API. */
  public boolean nothingIsDefined() {
    return db.read(
        handle ->
            parts.stream()
                .filter(part -> !part.hasFixedNames())
                .allMatch(part -> part.stored(handle).isEmpty()));
  }

  /**
   * Applies a document unless it is the one that was applied last; whether it was applied.
   *
   * @throws ConfigurationException with all that is wrong with it; then nothing was changed
   */
  public boolean applyIfChanged(String actor, String text) {
    YamlDocument document = read(text);
    String fingerprint = fingerprint(document);
    if (document.errors().isEmpty() && fingerprint.equals(lastApplied())) {
      return false;
    }
    apply(actor, document, (handle, _) -> remember(handle, fingerprint));
    return true;
  }

  /** Applies the document of the file, also if it is the one that was applied last. */
  Applied reload(String actor, String file, byte[] utf8) {
    YamlDocument document = read(YamlText.decoded(utf8));
    return apply(
        actor,
        document,
        (handle, applied) -> {
          remember(handle, fingerprint(document));
          store.adminLog().record(handle, actor, "config.reloaded", file, counts(applied));
        });
  }

  /**
   * Applies a document that did not come from the file.
   *
   * @throws ConfigurationException with all that is wrong with it; then nothing was changed
   */
  public Applied merge(String actor, byte[] utf8) {
    return merge(actor, "config.imported", YamlText.decoded(utf8));
  }

  private Applied merge(String actor, String action, String text) {
    return apply(
        actor,
        read(text),
        (handle, applied) ->
            store.adminLog().record(handle, actor, action, "configuration", counts(applied)));
  }

  /** What {@link #merge} would do. */
  public Applied tryMerge(String actor, byte[] utf8) {
    return tryMerge(actor, YamlText.decoded(utf8));
  }

  private Applied tryMerge(String actor, String text) {
    try {
      return apply(
          actor,
          read(text),
          (_, applied) -> {
            throw new OnlyTried(applied);
          });
    } catch (OnlyTried tried) {
      return tried.applied;
    }
  }

  private static ObjectNode counts(Applied applied) {
    ObjectNode counts = Json.object();
    for (Applied.Change change : applied.changes()) {
      counts.put(change.kind(), applied.count(change.kind()));
    }
    return counts;
  }

  /** All definitions as a document, which can be merged into an engine without any. */
  public String export() {
    return db.read(
        handle -> {
          for (int i = 0; i < MAX_EXPORT_TRIES; i++) {
            long changes = DefinitionChanges.count(handle);
            String document = export.document(handle);
            // A change in between would give half of each.
            if (changes == DefinitionChanges.count(handle)) {
              return document;
            }
          }
          throw new EngineException(
              ErrorCode.OVERLOADED, "the configuration changes all the time; try again later");
        });
  }

  /**
   * Takes what entries refer to from the environment again, which may have changed since they were
   * applied. What is not there any more stays as it was.
   */
  void lookUpReferencesAgain(String actor) {
    for (String text : db.read(export::entriesWithReferences)) {
      try {
        if (!tryMerge(actor, text).changesNothing()) {
          merge(actor, "config.refreshed", text);
        }
      } catch (ConfigurationException e) {
        LOG.log(
            Level.WARNING,
            "{0}; the value that was taken earlier stays",
            e.problems().getFirst().path() + ": " + e.problems().getFirst().message());
      }
    }
  }

  private YamlDocument read(String text) {
    return new YamlDocument(text, environment, Parts.pathsThatKeepReferences(parts));
  }

  private Applied apply(String actor, YamlDocument document, Ending ending) {
    Merge merge = new Merge(parts, references, document);
    Applied result =
        db.write(
            handle -> {
              DefinitionChanges.begin(db, handle);
              Applied applied = merge.run(handle, actor);
              ending.run(handle, applied);
              return applied;
            });
    definitions.settings().refresh();
    definitions.rateLimits().refresh();
    return result;
  }

  private @Nullable String lastApplied() {
    return db.read(
        handle ->
            handle
                .createQuery("SELECT fingerprint FROM applied_configuration WHERE id = 1")
                .mapTo(String.class)
                .findOne()
                .orElse(null));
  }

  private void remember(Handle handle, String fingerprint) {
    handle
        .createUpdate(
            """
            INSERT INTO applied_configuration (id, fingerprint, applied_at)
            VALUES (1, :fingerprint, :now)
            ON CONFLICT (id) DO UPDATE
            SET fingerprint = excluded.fingerprint, applied_at = excluded.applied_at
            """)
        .bind("fingerprint", fingerprint)
        .bind("now", store.clock().millis())
        .execute();
  }

  /**
   * Of what the document says and of how it says it: a reference is not the value it stands for.
   */
  private static String fingerprint(YamlDocument document) {
    return Sha256.hex(
        Json.write(document.root())
            + document
                .references()
                .map(YamlDocument.Reference::written)
                .collect(Collectors.joining("\n")));
  }
}
