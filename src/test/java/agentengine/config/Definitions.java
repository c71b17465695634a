package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import agentengine.agent.Agents;
import agentengine.agent.Schemas;
import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.limit.RateLimitRules;
import agentengine.model.Models;
import agentengine.secret.MasterKey;
import agentengine.testing.TestDatabases;
import agentengine.tool.Tools;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An empty store with all that a document can change, put together as at a start. */
final class Definitions {
  // One database of each kind serves all tests of a class: making one takes longer than a test.
  private static final Map<TestDatabases.Kind, TestDatabases.Fresh> DATABASES =
      new ConcurrentHashMap<>();
  private static final Map<TestDatabases.Kind, Database> OPEN = new ConcurrentHashMap<>();
  private static final Queue<SettingsStore> SETTINGS = new ConcurrentLinkedQueue<>();
  private static final List<String> TABLES =
      List.of(
          "chat_schema",
          "agent",
          "tool",
          "model",
          "rate_limit_rule",
          "settings",
          "applied_configuration",
          "document_reference",
          "admin_event");

  final Map<String, String> environment = new HashMap<>();
  final Database db;
  final AdminLog adminLog;
  final Models models;
  final Tools tools;
  final Agents agents;
  final Schemas schemas;
  final RateLimitRules rateLimits;
  final SettingsStore settings;
  final Configuration configuration;

  Definitions(TestDatabases.Kind kind) {
    InstantSource clock = InstantSource.fixed(Instant.parse("2026-01-02T03:04:05Z"));
    db = empty(kind);
    adminLog = new AdminLog(db, clock);
    MasterKey key = MasterKey.ofBase64(Base64.getEncoder().encodeToString(new byte[32]));
    models = new Models(db, key, clock, adminLog, Agents::usersOfModel);
    tools = new Tools(db, key, clock, adminLog, Agents::usersOfTool, environment::get);
    agents = new Agents(db, clock, adminLog);
    schemas = new Schemas(db, clock, adminLog);
    rateLimits = new RateLimitRules(db, adminLog);
    settings = new SettingsStore(db, adminLog);
    SETTINGS.add(settings);
    configuration =
        new Configuration(
            new Configuration.Store(db, key, adminLog, clock),
            new Configuration.Definitions(models, tools, agents, schemas, rateLimits, settings),
            environment::get);
  }

  private static Database empty(TestDatabases.Kind kind) {
    Database db =
        OPEN.computeIfAbsent(
            kind, _ -> DATABASES.computeIfAbsent(kind, TestDatabases::fresh).open());
    db.write(
        handle -> {
          TABLES.forEach(table -> handle.execute("DELETE FROM " + table));
          return null;
        });
    return db;
  }

  static void closeAll() {
    SETTINGS.forEach(SettingsStore::close);
    SETTINGS.clear();
    DATABASES.values().forEach(TestDatabases.Fresh::close);
    DATABASES.clear();
    OPEN.clear();
  }

  /** Applies a document; whether there was anything to apply. */
  boolean apply(String text) {
    return configuration.applyIfChanged("tester", text);
  }

  /** What is said against a document, which must not be applied in any part. */
  List<ConfigurationException.Problem> refusal(String text) {
    List<String> before = everything();
    ConfigurationException refusal =
        catchThrowableOfType(ConfigurationException.class, () -> apply(text));
    assertThat(refusal).as("the refusal of %.300s", text).isNotNull();
    assertThat(everything()).isEqualTo(before);
    return refusal.problems();
  }

  /** All that a document could have changed, the log of the changes included. */
  List<String> everything() {
    return List.of(
        models.list().toString(),
        tools.list().toString(),
        agents.list().toString(),
        schemas.list().toString(),
        rateLimits.current().toString(),
        db.read(rateLimits::list).toString(),
        settings.current().toString(),
        db.read(settings::stored).toString(),
        adminLog.list(1, 100).toString(),
        db.read(
            handle ->
                handle
                    .createQuery("SELECT fingerprint FROM applied_configuration")
                    .mapTo(String.class)
                    .list()
                    .toString()));
  }
}
