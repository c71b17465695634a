package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class LocalSessionTest {
  private final ManualClock clock = new ManualClock();
  private final KeyPair keys = Ed25519.generate();
  private final LocalSession session =
      new LocalSession(keys.getPrivate(), Duration.ofHours(1), clock);
  private final JwtVerifier verifier = new JwtVerifier(keys.getPublic(), JwtRules.NONE, clock);

  @Test
  void aMintedTokenIsTheLocalAdministrator() {
    Caller caller = verifier.verify(session.mint().accessToken().reveal());

    assertThat(caller.id()).isEqualTo("local-admin");
    assertThat(caller.scopes()).containsExactly(Scope.ADMIN);
  }

  @Test
  void aMintedTokenLivesExactlyAsLongAsItSays() {
    clock.advance(Duration.ofMillis(999));
    LocalSession.Minted minted = session.mint();

    assertThat(minted.expiresAt()).isEqualTo(Instant.parse("2026-03-01T13:00:00Z"));
    clock.advance(Duration.between(clock.instant(), minted.expiresAt().plusSeconds(30)));
    assertThat(verifier.verify(minted.accessToken().reveal()).isAdmin()).isTrue();
    clock.advance(Duration.ofMillis(1));
    Refused.with(Refusal.EXPIRED, () -> verifier.verify(minted.accessToken().reveal()));
  }

  @Test
  void theTokenIsNotPrintedByAccident() {
    LocalSession.Minted minted = session.mint();

    assertThat(minted.toString()).doesNotContain(minted.accessToken().reveal()).contains("***");
  }

  @Test
  void aSessionWithoutDurationMakesNoSense() {
    assertThatThrownBy(() -> new LocalSession(keys.getPrivate(), Duration.ZERO, clock))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
