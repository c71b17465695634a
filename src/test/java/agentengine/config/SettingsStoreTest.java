package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.json.Json;
import agentengine.limit.Limit;
import agentengine.testing.TestDatabases;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SettingsStoreTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  @Test
  void what_one_node_changes_soon_counts_on_another() throws InterruptedException {
    try (TestDatabases.Fresh database = TestDatabases.fresh(TestDatabases.Kind.POSTGRES);
        SettingsStore here = store(database.open());
        SettingsStore there = store(database.open())) {
      assertThat(there.current()).isEqualTo(Settings.DEFAULT);

      here.update("tester", Json.parse("{\"rate_limit\": {\"requests\": 7}}"));

      long deadline = System.nanoTime() + PATIENCE.toNanos();
      while (there.current().rateLimit().requests() != 7 && System.nanoTime() < deadline) {
        Thread.sleep(20);
      }
      assertThat(there.current()).isEqualTo(here.current());
      assertThat(there.current().rateLimit().requests()).isEqualTo(7);
    }
  }

  @ParameterizedTest
  @EnumSource
  void changes_at_the_same_time_do_not_undo_each_other(TestDatabases.Kind kind)
      throws InterruptedException {
    try (TestDatabases.Fresh database = TestDatabases.fresh(kind);
        SettingsStore settings = store(database.open())) {
      List<String> bodies =
          List.of(
              "{\"rate_limit\": {\"requests\": 7}}",
              "{\"rate_limit\": {\"window\": \"7s\"}}",
              "{\"limits\": {\"stall\": \"7s\"}}",
              "{\"limits\": {\"spawn_depth\": 7}}");
      List<Thread> threads = new ArrayList<>();
      for (String body : bodies) {
        threads.add(Thread.ofVirtual().start(() -> settings.update("tester", Json.parse(body))));
      }
      for (Thread thread : threads) {
        thread.join();
      }

      Settings current = settings.current();
      assertThat(current.rateLimit()).isEqualTo(new Limit(7, Duration.ofSeconds(7)));
      assertThat(current.modelLimits().stall()).isEqualTo(Duration.ofSeconds(7));
      assertThat(current.turnLimits().tools().spawnDepth()).isEqualTo(7);
    }
  }

  private static SettingsStore store(Database db) {
    return new SettingsStore(db, new AdminLog(db, InstantSource.system()));
  }
}
