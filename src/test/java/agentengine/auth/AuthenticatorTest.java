package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.audit.AdminLog;
import agentengine.db.Database;
import agentengine.testing.TestDatabases;
import java.security.KeyPair;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class AuthenticatorTest {
  private final ManualClock clock = new ManualClock();
  private final KeyPair keys = Ed25519.generate();
  private final String jwt =
      TestJwts.signed(keys.getPrivate(), "{\"sub\":\"alice\",\"exp\":1999999999}");
  private final TestDatabases.Fresh fresh;
  private final ApiTokens tokens;
  private final Authenticator authenticator;

  AuthenticatorTest(TestDatabases.Kind kind) {
    fresh = TestDatabases.fresh(kind);
    Database database = fresh.open();
    tokens = new ApiTokens(database, new AdminLog(database, clock), clock);
    authenticator =
        new Authenticator(tokens, new JwtVerifier(keys.getPublic(), JwtRules.NONE, clock));
  }

  @AfterEach
  void close() {
    tokens.close();
    fresh.close();
  }

  @Test
  void bothKindsOfTokenAreTaken() {
    CreatedToken created =
        tokens.create(Caller.ENGINE_START, new NewToken("ci", Set.of(Scope.CHAT), null));

    assertThat(authenticator.authenticate("Bearer " + created.text().reveal()).id())
        .isEqualTo("token:" + created.token().id());
    assertThat(authenticator.authenticate("Bearer " + jwt).id()).isEqualTo("alice");
  }

  @Test
  void theSchemeIgnoresCaseAndSpaces() {
    for (String header : new String[] {"bearer ", "BEARER ", "Bearer   ", "  Bearer "}) {
      assertThat(authenticator.authenticate(header + jwt + " ").id()).isEqualTo("alice");
    }
  }

  @Test
  void aHeaderWithoutBearerTokenHasNone() {
    Refused.with(Refusal.MISSING, () -> authenticator.authenticate(null));
    for (String header :
        new String[] {"", " ", "Bearer", "Bearer ", "Basic YTpi", jwt, "Bearer" + jwt}) {
      Refused.with(Refusal.MISSING, () -> authenticator.authenticate(header));
    }
  }

  @Test
  void aBearerTokenThatIsNoTokenIsInvalid() {
    for (String header :
        new String[] {
          "Bearer x",
          "Bearer ae_",
          "Bearer ae_" + jwt,
          "Bearer AE_0000000000000000000000000000002C8GjS",
          "Bearer " + jwt + " " + jwt,
          "Bearer " + jwt + ", Bearer " + jwt,
          "Bearer \u00e4\n"
        }) {
      Refused.with(Refusal.INVALID, () -> authenticator.authenticate(header));
    }
  }

  @Test
  void aHeaderOverEightKibibytesIsInvalidUnread() {
    String padding = "s".repeat(8 * 1024);

    Refused.with(Refusal.INVALID, () -> authenticator.authenticate("Bearer " + jwt + padding));
  }
}
