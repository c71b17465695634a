package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.audit.AdminEvent;
import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.error.FieldError;
import agentengine.json.Json;
import agentengine.secret.Sha256;
import agentengine.testing.TestDatabases;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ApiTokensTest {
  private static final Caller ALICE = Caller.ofSubject("alice", Set.of(Scope.ADMIN));
  private static final Instant FAR_AWAY = Instant.parse("2030-01-01T00:00:00Z");

  private final ManualClock clock = new ManualClock();
  private final TestDatabases.Fresh fresh;
  private final Database database;
  private final AdminLog log;
  private final ApiTokens tokens;

  ApiTokensTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    database = fresh.open();
    log = new AdminLog(database, clock);
    tokens = new ApiTokens(database, log, clock);
  }

  @AfterEach
  void close() {
    tokens.close();
    fresh.close();
  }

  @Test
  void aNewTokenLetsItsBearerInWithItsScopes() {
    CreatedToken created = create("ci", Scope.TASKS, Scope.CHAT);

    Caller caller = tokens.authenticate(created.text().reveal());

    assertThat(caller.id()).isEqualTo("token:" + created.token().id());
    assertThat(caller.scopes()).containsExactly(Scope.CHAT, Scope.TASKS);
    assertThat(caller.isApiToken()).isTrue();
  }

  @Test
  void theTextOfATokenIsKeptNowhere() {
    CreatedToken created = create("ci", Scope.CHAT);
    String text = created.text().reveal();

    String row =
        database.read(
            handle -> handle.createQuery("SELECT * FROM api_token").mapToMap().list().toString());

    assertThat(row).contains(Sha256.hex(text)).doesNotContain(text.substring(3));
    assertThat(log.list(1, 50).data().toString()).doesNotContain(text.substring(3));
    assertThat(created.toString()).doesNotContain(text.substring(3)).contains("***");
  }

  @Test
  void tokensAreListedNewestFirst() {
    ApiToken first = create("first", Scope.CHAT).token();
    clock.advance(Duration.ofMillis(1));
    ApiToken second =
        tokens.create(ALICE, new NewToken("second", Set.of(Scope.CONFIG), FAR_AWAY)).token();

    assertThat(tokens.list()).containsExactly(second, first);
    assertThat(second.expiresAt()).isEqualTo(FAR_AWAY);
    assertThat(second.createdAt()).isEqualTo(clock.instant());
  }

  @Test
  void aRevokedTokenIsRefusedAtOnceOnEveryNodeAndListedNoMore() {
    CreatedToken created = create("ci", Scope.CHAT);
    Database elsewhere = database.shared() ? fresh.open() : database;
    try (ApiTokens otherNode = new ApiTokens(elsewhere, log, clock)) {
      assertThat(otherNode.authenticate(created.text().reveal()).scopes())
          .containsExactly(Scope.CHAT);

      tokens.revoke(ALICE, created.token().id());

      Refused.with(Refusal.REVOKED, () -> otherNode.authenticate(created.text().reveal()));
      Refused.with(Refusal.REVOKED, () -> tokens.authenticate(created.text().reveal()));
      assertThat(otherNode.list()).isEmpty();
    }
  }

  @Test
  void whatIsUnknownOrRevokedAlreadyCannotBeRevoked() {
    String id = create("ci", Scope.CHAT).token().id();
    tokens.revoke(ALICE, id);

    for (String gone : List.of(id, "unknown", "", "nul \0", "x".repeat(10_000))) {
      assertThatThrownBy(() -> tokens.revoke(ALICE, gone))
          .isInstanceOf(EngineException.class)
          .extracting(e -> ((EngineException) e).code())
          .isEqualTo(ErrorCode.NOT_FOUND);
    }
    assertThat(actions()).containsExactly("token.revoked", "token.created");
  }

  @Test
  void aTokenExpiresToTheMillisecond() {
    Instant expiry = clock.instant().plusMillis(1500);
    CreatedToken created =
        tokens.create(ALICE, new NewToken("short", Set.of(Scope.CHAT), expiry.plusNanos(999)));
    assertThat(created.token().expiresAt()).isEqualTo(expiry);

    clock.advance(Duration.ofMillis(1499));
    assertThat(tokens.authenticate(created.text().reveal()).has(Scope.CHAT)).isTrue();

    clock.advance(Duration.ofMillis(1));
    Refused.with(Refusal.EXPIRED, () -> tokens.authenticate(created.text().reveal()));
  }

  @Test
  void aTokenThatIsRevokedAndExpiredIsRevoked() {
    CreatedToken created =
        tokens.create(
            ALICE, new NewToken("both", Set.of(Scope.CHAT), clock.instant().plusSeconds(1)));
    tokens.revoke(ALICE, created.token().id());
    clock.advance(Duration.ofSeconds(2));

    Refused.with(Refusal.REVOKED, () -> tokens.authenticate(created.text().reveal()));
  }

  @Test
  void aTextOfTheRightFormThatNobodyMadeIsInvalid() {
    Refused.with(Refusal.INVALID, () -> tokens.authenticate(TokenText.generate()));
  }

  @Test
  void aTextOfAWrongFormIsInvalidWithoutAskingTheDatabase() {
    String text = create("ci", Scope.CHAT).text().reveal();
    database.close();

    Refused.with(Refusal.INVALID, () -> tokens.authenticate(text.substring(0, 38) + "!"));
    Refused.with(Refusal.INVALID, () -> tokens.authenticate(text + "x"));
    Refused.with(Refusal.INVALID, () -> tokens.authenticate("ae_"));
  }

  @Test
  void everythingWrongWithAWishIsToldAtOnce() {
    NewToken wish = new NewToken(" ", Set.of(), clock.instant());

    assertThatThrownBy(() -> tokens.create(ALICE, wish))
        .isInstanceOf(EngineException.class)
        .extracting(e -> ((EngineException) e).details().stream().map(FieldError::field).toList())
        .isEqualTo(List.of("name", "scopes", "expires_at"));
    assertThat(tokens.list()).isEmpty();
    assertThat(actions()).isEmpty();
  }

  @Test
  void aNameHasUpToAHundredCharactersThatBothDatabasesCanKeep() {
    String longest = "ü".repeat(100);
    assertThat(create(longest, Scope.CHAT).token().name()).isEqualTo(longest);

    for (String name : List.of("", "x".repeat(101), "nul \0", "half \ud83d")) {
      assertThatThrownBy(() -> create(name, Scope.CHAT)).isInstanceOf(EngineException.class);
    }
  }

  @Test
  void anExpiryBeyondAllCalendarsIsRefused() {
    NewToken wish = new NewToken("eternal", Set.of(Scope.CHAT), Instant.MAX);

    assertThatThrownBy(() -> tokens.create(ALICE, wish)).isInstanceOf(EngineException.class);
  }

  @Test
  void makingAndRevokingATokenIsOnRecord() {
    ApiToken token = tokens.create(ALICE, new NewToken("ci", Set.of(Scope.CHAT), FAR_AWAY)).token();
    tokens.revoke(ALICE, token.id());

    List<AdminEvent> events = log.list(1, 50).data();

    assertThat(actions()).containsExactly("token.revoked", "token.created");
    assertThat(events).allMatch(event -> event.actor().equals("alice"));
    assertThat(events).allMatch(event -> event.target().equals(token.id()));
    assertThat(Json.write(events.get(1).details()))
        .isEqualTo(
            "{\"name\":\"ci\",\"scopes\":[\"chat\"],\"expires_at\":\"2030-01-01T00:00:00Z\"}");
    assertThat(Json.write(events.get(0).details())).isEqualTo("{\"name\":\"ci\"}");
  }

  private CreatedToken create(String name, Scope... scopes) {
    return tokens.create(ALICE, new NewToken(name, Set.of(scopes), null));
  }

  private List<String> actions() {
    return log.list(1, 50).data().stream().map(AdminEvent::action).toList();
  }
}
