package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.audit.AdminEvent;
import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class BootstrapTokenTest {
  private final ManualClock clock = new ManualClock();
  private final TestDatabases.Fresh fresh;
  private final AdminLog log;
  private final ApiTokens tokens;

  BootstrapTokenTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    Database database = fresh.open();
    log = new AdminLog(database, clock);
    tokens = new ApiTokens(database, log, clock);
  }

  @AfterEach
  void close() {
    tokens.close();
    fresh.close();
  }

  @Test
  void aSeededTokenIsAnAdministratorAndOnRecord() {
    String text = ApiTokens.newText().reveal();

    tokens.seedBootstrap(text);

    assertThat(tokens.authenticate(text).isAdmin()).isTrue();
    ApiToken token = tokens.list().getFirst();
    assertThat(token.name()).isEqualTo("bootstrap");
    AdminEvent event = log.list(1, 50).data().getFirst();
    assertThat(event.action()).isEqualTo("token.seeded");
    assertThat(event.actor()).isEqualTo("engine:start");
    assertThat(event.target()).isEqualTo(token.id());
  }

  @Test
  void everyLaterStartLeavesItAsItIs() {
    String text = ApiTokens.newText().reveal();
    tokens.seedBootstrap(text);
    List<ApiToken> before = tokens.list();

    tokens.seedBootstrap(text);

    assertThat(tokens.list()).isEqualTo(before);
    assertThat(log.list(1, 50).total()).isEqualTo(1);
  }

  @Test
  void nodesThatStartAtOnceSeedItOnce() throws Exception {
    String text = ApiTokens.newText().reveal();
    Callable<Boolean> start =
        () -> {
          tokens.seedBootstrap(text);
          return true;
        };

    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Boolean> started : threads.invokeAll(List.of(start, start, start, start))) {
        assertThat(started.get()).isTrue();
      }
    }

    assertThat(tokens.list()).hasSize(1);
    assertThat(log.list(1, 50).total()).isEqualTo(1);
  }

  @Test
  void aRevokedOneStaysRevoked() {
    String text = ApiTokens.newText().reveal();
    tokens.seedBootstrap(text);
    tokens.revoke(Caller.ENGINE_START, tokens.list().getFirst().id());

    tokens.seedBootstrap(text);

    Refused.with(Refusal.REVOKED, () -> tokens.authenticate(text));
  }

  @Test
  void anotherTextSeedsAnotherToken() {
    tokens.seedBootstrap(ApiTokens.newText().reveal());
    tokens.seedBootstrap(ApiTokens.newText().reveal());

    assertThat(tokens.list()).hasSize(2);
  }

  @Test
  void aTextOfAnotherFormIsRefusedWithTheReasonAndNotShown() {
    assertThatThrownBy(() -> tokens.seedBootstrap("geheim"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("it must start with ae_")
        .hasMessageContaining("30 characters of 0-9A-Za-z")
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1).doesNotContain("geheim"));
    assertThat(tokens.list()).isEmpty();
  }
}
