package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class VerifiedTokensTest {
  private final VerifiedTokens tokens = new VerifiedTokens(2);
  private final JwtClaims claims =
      new JwtClaims(Caller.ofSubject("alice", Set.of()), Instant.EPOCH);

  @Test
  void whatWasRememberedIsFound() {
    tokens.remember("one", claims);

    assertThat(tokens.find("one")).isEqualTo(claims);
    assertThat(tokens.find("two")).isNull();
  }

  @Test
  void theOneNotUsedForTheLongestTimeIsForgottenFirst() {
    tokens.remember("one", claims);
    tokens.remember("two", claims);
    tokens.find("one");

    tokens.remember("three", claims);

    assertThat(tokens.find("two")).isNull();
    assertThat(tokens.find("one")).isEqualTo(claims);
    assertThat(tokens.find("three")).isEqualTo(claims);
  }

  @Test
  void itNeverHoldsMoreThanItsCapacity() {
    for (int i = 0; i < 1_000; i++) {
      tokens.remember("token-" + i, claims);
    }

    assertThat(tokens.size()).isEqualTo(2);
  }
}
