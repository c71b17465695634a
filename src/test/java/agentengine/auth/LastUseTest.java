package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class LastUseTest {
  private static final Duration NEVER = Duration.ofDays(1);

  private final ManualClock clock = new ManualClock();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final TestDatabases.Fresh fresh;
  private final Database database;

  LastUseTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    database = fresh.open(meters);
  }

  @AfterEach
  void close() {
    fresh.close();
  }

  @Test
  void aRequestDoesNotCostACommit() {
    try (ApiTokens tokens = tokens(NEVER)) {
      String text = create(tokens).text().reveal();
      long before = commits();

      for (int i = 0; i < 100; i++) {
        tokens.authenticate(text);
      }

      assertThat(commits()).isEqualTo(before);
      assertThat(stored()).isNull();
    }
  }

  @Test
  void closingWritesDownTheLastUse() {
    Instant lastUse;
    try (ApiTokens tokens = tokens(NEVER)) {
      String text = create(tokens).text().reveal();
      tokens.authenticate(text);
      clock.advance(Duration.ofSeconds(3));
      lastUse = clock.instant();
      tokens.authenticate(text);
      clock.advance(Duration.ofSeconds(3));
    }

    assertThat(stored()).isEqualTo(lastUse);
  }

  @Test
  void theListKnowsAUseThatIsNotWrittenDownYet() {
    try (ApiTokens tokens = tokens(NEVER)) {
      CreatedToken created = create(tokens);
      assertThat(tokens.list().getFirst().lastUsedAt()).isNull();

      tokens.authenticate(created.text().reveal());

      assertThat(tokens.list().getFirst().lastUsedAt()).isEqualTo(clock.instant());
    }
  }

  @Test
  @Timeout(60)
  void itIsWrittenDownByItselfAfterAWhile() {
    try (ApiTokens tokens = tokens(Duration.ofMillis(10))) {
      tokens.authenticate(create(tokens).text().reveal());

      Instant stored = stored();
      while (stored == null && !Thread.currentThread().isInterrupted()) {
        stored = stored();
      }

      assertThat(stored).isEqualTo(clock.instant());
    }
  }

  @Test
  void aRefusedRequestIsNoUse() {
    try (ApiTokens tokens = tokens(NEVER)) {
      CreatedToken created = create(tokens);
      tokens.revoke(Caller.ENGINE_START, created.token().id());

      Refused.with(Refusal.REVOKED, () -> tokens.authenticate(created.text().reveal()));
    }

    assertThat(stored()).isNull();
  }

  @Test
  void aLaterUseOnAnotherNodeIsNotOverwritten() {
    try (ApiTokens tokens = tokens(NEVER);
        ApiTokens otherNode = tokens(NEVER)) {
      String text = create(tokens).text().reveal();
      tokens.authenticate(text);
      clock.advance(Duration.ofSeconds(9));
      otherNode.authenticate(text);
      // Closed in the other order: the later use is written first.
    }

    assertThat(stored()).isEqualTo(clock.instant());
  }

  @Test
  void aStoreThatFailsCostsNoUse() {
    LastUse lastUse = new LastUse(database, NEVER);
    try (ApiTokens tokens = tokens(NEVER)) {
      String id = create(tokens).token().id();
      lastUse.note(id, clock.millis());
      database.write(handle -> handle.execute("ALTER TABLE api_token RENAME TO hidden"));
      lastUse.flush();
      database.write(handle -> handle.execute("ALTER TABLE hidden RENAME TO api_token"));
    }

    lastUse.close();

    assertThat(stored()).isEqualTo(clock.instant());
  }

  private ApiTokens tokens(Duration period) {
    return new ApiTokens(database, new AdminLog(database, clock), clock, period);
  }

  private static CreatedToken create(ApiTokens tokens) {
    return tokens.create(Caller.ENGINE_START, new NewToken("ci", Set.of(Scope.CHAT), null));
  }

  private long commits() {
    return meters.get("engine.store.commit").timer().count();
  }

  private @Nullable Instant stored() {
    Long millis =
        database.read(
            handle ->
                handle
                    .createQuery("SELECT last_used_at FROM api_token")
                    .mapTo(Long.class)
                    .findOne()
                    .orElse(null));
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }
}
