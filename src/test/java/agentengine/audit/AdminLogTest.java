package agentengine.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.db.Database;
import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class AdminLogTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00.123Z");

  private final TestDatabases.Fresh fresh;
  private final Database database;
  private final AdminLog log;

  AdminLogTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    database = fresh.open();
    log = new AdminLog(database, InstantSource.fixed(NOW));
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void anActIsThereWithAllThatWasSaidAboutIt() {
    record("alice", "token.created", "t1");

    AdminEvent event = log.list(1, 50).data().getFirst();

    assertThat(event.actor()).isEqualTo("alice");
    assertThat(event.action()).isEqualTo("token.created");
    assertThat(event.target()).isEqualTo("t1");
    assertThat(event.details()).isEqualTo(Json.object().put("note", "t1 ü"));
    assertThat(event.createdAt()).isEqualTo(NOW);
  }

  @Test
  void theNewestActComesFirstAndEachIsOnExactlyOnePage() {
    for (int i = 1; i <= 5; i++) {
      record("alice", "token.created", "t" + i);
    }

    assertThat(targets(1)).containsExactly("t5", "t4");
    assertThat(targets(2)).containsExactly("t3", "t2");
    assertThat(targets(3)).containsExactly("t1");
    assertThat(targets(4)).isEmpty();
  }

  @Test
  void everyPageKnowsHowManyThereAre() {
    for (int i = 1; i <= 5; i++) {
      record("alice", "token.created", "t" + i);
    }

    assertThat(log.list(2, 2).total()).isEqualTo(5);
    assertThat(log.list(2, 2).totalPages()).isEqualTo(3);
    assertThat(log.list(9, 2).total()).isEqualTo(5);
    assertThat(log.list(1, 5).totalPages()).isEqualTo(1);
  }

  @Test
  void anEmptyLogHasNoPages() {
    Page<AdminEvent> page = log.list(1, 50);

    assertThat(page.data()).isEmpty();
    assertThat(page.total()).isZero();
    assertThat(page.totalPages()).isZero();
  }

  @Test
  void thePageFarBeyondTheEndIsEmpty() {
    record("alice", "token.created", "t1");

    assertThat(log.list(Integer.MAX_VALUE, 100).data()).isEmpty();
  }

  @Test
  void thereIsNoPageBeforeTheFirst() {
    assertThatThrownBy(() -> log.list(0, 50)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> log.list(1, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anActThatFailsLeavesNoRecord() {
    assertThatThrownBy(
            () ->
                database.write(
                    handle -> {
                      log.record(handle, "alice", "token.revoked", "t1", Json.object());
                      throw new IllegalStateException("the act failed");
                    }))
        .hasMessage("the act failed");

    assertThat(log.list(1, 50).total()).isZero();
  }

  private void record(String actor, String action, String target) {
    database.write(
        handle -> {
          log.record(handle, actor, action, target, Json.object().put("note", target + " ü"));
          return true;
        });
  }

  private List<String> targets(int page) {
    return log.list(page, 2).data().stream().map(AdminEvent::target).toList();
  }
}
