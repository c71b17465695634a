package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.TestLedger;
import agentengine.db.Database;
import agentengine.secret.MasterKey;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestDatabases.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class AuditVerifyTest {
  private static final String INTACT =
      "audit log: 2 calls, nothing changed or removed; last hash [0-9a-f]{64}\n";

  private final TestDatabases.Fresh fresh;
  private final Map<String, String> environment = new HashMap<>();

  AuditVerifyTest(Kind kind) {
    fresh = TestDatabases.fresh(kind);
    environment.put("ENGINE_DATA_DIR", fresh.dataDirectory().toString());
    if (fresh instanceof TestDatabases.Postgres postgres) {
      environment.put("ENGINE_DATABASE_URL", postgres.url());
    }
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void a_log_as_the_engine_left_it_is_intact() throws IOException {
    try (Database database = fresh.open()) {
      writeCalls(database);
    }

    CommandRun run = verify();

    assertThat(run.err()).isEmpty();
    assertThat(run.out()).matches(INTACT);
    assertThat(run.status()).isZero();
  }

  @Test
  void it_is_verified_beside_a_running_engine_that_goes_on_writing() throws IOException {
    Database database = fresh.open();
    TestLedger calls = writeCalls(database);

    assertThat(verify().out()).matches(INTACT);

    calls.complete(TestLedger.call("c3").build());
    assertThat(verify().out()).startsWith("audit log: 3 calls, nothing changed");
  }

  @Test
  void a_log_without_calls_is_intact() throws IOException {
    try (Database _ = fresh.open()) {
      MasterKey _ = MasterKey.ofFile(keyFile());
    }

    assertThat(verify())
        .isEqualTo(new CommandRun(0, "audit log: 0 calls, nothing changed or removed\n", ""));
  }

  @Test
  void what_was_done_to_it_is_one_line_and_status_1() throws IOException {
    Database database = fresh.open();
    writeCalls(database);

    execute(database, "UPDATE tool_call SET output = '[]' WHERE number = 2");
    assertThat(verify()).isEqualTo(new CommandRun(1, "audit log: call 2 was changed\n", ""));

    execute(database, "DELETE FROM tool_call WHERE number = 1");
    assertThat(verify()).isEqualTo(new CommandRun(1, "audit log: call 1 was removed\n", ""));
  }

  @Test
  void another_master_key_is_told() throws IOException {
    writeCalls(fresh.open());
    environment.put("ENGINE_MASTER_KEY", Base64.getEncoder().encodeToString(new byte[32]));

    CommandRun run = verify();

    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).contains("probably it is not the key that").hasLineCount(1);
  }

  @Test
  void the_key_may_come_from_the_environment() throws IOException {
    writeCalls(fresh.open());
    environment.put("ENGINE_MASTER_KEY", Files.readString(keyFile()).strip());
    Files.delete(keyFile());

    assertThat(verify().out()).matches(INTACT);
    assertThat(keyFile()).doesNotExist();
  }

  @Test
  void a_missing_key_is_not_made() throws IOException {
    writeCalls(fresh.open());
    Files.delete(keyFile());

    assertRefused("engine: ENGINE_MASTER_KEY is not set, and there is no key file ");
    assertThat(keyFile()).doesNotExist();
  }

  @Test
  void a_bad_key_is_told() throws IOException {
    writeCalls(fresh.open());
    environment.put("ENGINE_MASTER_KEY", "secret");

    assertRefused("engine: ENGINE_MASTER_KEY is not a key: ");
  }

  @Test
  void a_store_that_is_not_there_is_not_made() throws IOException {
    if (fresh instanceof TestDatabases.Postgres postgres) {
      environment.put("ENGINE_DATABASE_URL", postgres.url() + "_not_there");
      assertRefused("engine: the database at localhost:");
      return;
    }
    assertRefused("engine: there is no store in ");
    assertThat(files()).isEmpty();

    Path missing = fresh.dataDirectory().resolve("missing");
    environment.put("ENGINE_DATA_DIR", missing.toString());
    assertRefused("engine: there is no store in " + missing);
    assertThat(missing).doesNotExist();
  }

  @Test
  void a_database_without_an_audit_log_is_told_and_left_as_it_is() throws IOException {
    MasterKey _ = MasterKey.ofFile(keyFile());
    if (fresh instanceof TestDatabases.Sqlite) {
      Files.createFile(fresh.dataDirectory().resolve("engine.db"));
    }

    assertRefused("engine: the database has no audit log; ");
    assertRefused("engine: the database has no audit log; ");
  }

  @Test
  void a_file_that_is_no_database_is_told() throws IOException {
    MasterKey _ = MasterKey.ofFile(keyFile());
    if (fresh instanceof TestDatabases.Sqlite) {
      Files.writeString(fresh.dataDirectory().resolve("engine.db"), "not a database ".repeat(99));

      assertRefused("engine: the database cannot be read: ");
    }
  }

  @Test
  void looking_at_a_store_changes_nothing_in_it() throws IOException {
    try (Database database = fresh.open()) {
      writeCalls(database);
    }
    Map<String, String> before = files();

    assertThat(verify().status()).isZero();

    Map<String, String> after = files();
    after.keySet().removeAll(List.of("engine.db-shm", "engine.db-wal"));
    assertThat(after).isEqualTo(before);
    try (Database database = fresh.open()) {
      execute(database, "DELETE FROM audit_head");
    }
  }

  private TestLedger writeCalls(Database database) throws IOException {
    TestLedger calls = new TestLedger(database, MasterKey.ofFile(keyFile()));
    calls.complete(TestLedger.call("c1").build());
    calls.completeApproved(TestLedger.call("c2").build());
    return calls;
  }

  private static void execute(Database database, String sql) {
    assertThat(database.<Integer>write(handle -> handle.execute(sql))).isEqualTo(1);
  }

  private Path keyFile() {
    return fresh.dataDirectory().resolve("master.key");
  }

  private Map<String, String> files() throws IOException {
    Map<String, String> contents = new HashMap<>();
    try (Stream<Path> files = Files.list(fresh.dataDirectory())) {
      for (Path file : files.toList()) {
        contents.put(
            file.getFileName().toString(),
            Base64.getEncoder().encodeToString(Files.readAllBytes(file)));
      }
    }
    return contents;
  }

  private CommandRun verify() {
    return CommandRun.of(environment, "audit", "verify");
  }

  private void assertRefused(String start) {
    CommandRun run = verify();
    assertThat(run.status()).isEqualTo(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.err()).startsWith(start).hasLineCount(1).doesNotContain("postgres:postgres");
  }
}
