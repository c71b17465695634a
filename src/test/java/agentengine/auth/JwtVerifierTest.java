package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.KeyPair;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JwtVerifierTest {
  private final ManualClock clock = new ManualClock();
  private final KeyPair keys = Ed25519.generate();
  private final JwtVerifier verifier = verifier(JwtRules.NONE);
  private final long now = clock.instant().getEpochSecond();

  @Test
  void aSignedTokenNamesItsCaller() {
    Caller caller = verifier.verify(token("'sub':'alice','scope':'chat tasks'"));

    assertThat(caller.id()).isEqualTo("alice");
    assertThat(caller.scopes()).containsExactly(Scope.CHAT, Scope.TASKS);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "'scope':'chat config', chat config",
        "'scopes':['chat';'config'], chat config",
        "'scope':'chat';'scopes':['admin'], chat",
        "'scope':'  chat   telepathy ', chat",
        "'scopes':['telepathy';'agents:read'], agents:read",
        "'scope':'', \"\"",
        "'scopes':[], \"\"",
        "'scope':'CHAT', \"\"",
        "'other':1, tasks",
        "'scope':null, tasks"
      })
  void scopesComeFromEitherClaimAndWithNeitherFromTheDefault(String claims, String expected) {
    JwtVerifier withDefault = verifier(new JwtRules(null, null, Set.of(Scope.TASKS)));

    Caller caller = withDefault.verify(token("'sub':'alice'," + claims.replace(';', ',')));

    assertThat(String.join(" ", Scope.wireNames(caller.scopes()))).isEqualTo(expected);
  }

  @Test
  void withoutScopesAndDefaultsATokenAllowsNothing() {
    assertThat(verifier.verify(token("'sub':'alice'")).scopes()).isEmpty();
  }

  @Test
  void aTokenIsGoodUpToThirtySecondsAfterItsExpiry() {
    String token = signed("'sub':'alice','exp':" + (now + 60));
    clock.advance(Duration.ofSeconds(90));
    assertThat(verifier.verify(token).id()).isEqualTo("alice");

    clock.advance(Duration.ofMillis(1));
    Refused.with(Refusal.EXPIRED, () -> verifier.verify(token));
    Refused.with(Refusal.EXPIRED, () -> verifier(JwtRules.NONE).verify(token));
  }

  @Test
  void aTokenThatWasVerifiedBeforeStillExpires() {
    String token = signed("'sub':'alice','exp':" + (now + 60));
    assertThat(verifier.verify(token).id()).isEqualTo("alice");
    assertThat(verifier.verify(token).id()).isEqualTo("alice");

    clock.advance(Duration.ofSeconds(91));

    Refused.with(Refusal.EXPIRED, () -> verifier.verify(token));
  }

  @Test
  void aTokenIsGoodFromThirtySecondsBeforeItsBeginning() {
    String token = token("'sub':'alice','nbf':" + (now + 31));
    Refused.with(Refusal.INVALID, () -> verifier.verify(token));

    clock.advance(Duration.ofSeconds(1));

    assertThat(verifier.verify(token).id()).isEqualTo("alice");
  }

  @Test
  void aForgedTokenIsInvalidEvenWhenItWouldBeExpired() {
    String forged = TestJwts.signed(Ed25519.generate().getPrivate(), "{\"sub\":\"x\",\"exp\":1}");

    Refused.with(Refusal.INVALID, () -> verifier.verify(forged));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'sub':'a'",
        "'sub':'a','exp':null",
        "'sub':'a','exp':'1999999999'",
        "'sub':'a','exp':'2040-01-01T00:00:00Z'",
        "'sub':'a','exp':true",
        "'sub':'a','exp':{}",
        "'sub':'a','exp':99999999999999999999",
        "'sub':'a','exp':1999999999,'nbf':'1'",
        "'exp':1999999999",
        "'sub':null,'exp':1999999999",
        "'sub':'','exp':1999999999",
        "'sub':'  ','exp':1999999999",
        "'sub':7,'exp':1999999999",
        "'sub':['a'],'exp':1999999999",
        "'sub':'a\\nb','exp':1999999999",
        "'sub':'a\\u0000b','exp':1999999999",
        "'sub':'\\ud800','exp':1999999999",
        "'sub':'a','sub':'b','exp':1999999999",
        "'sub':'a','exp':1999999999,'scope':['admin']",
        "'sub':'a','exp':1999999999,'scope':7",
        "'sub':'a','exp':1999999999,'scopes':'admin'",
        "'sub':'a','exp':1999999999,'scopes':['admin',7]"
      })
  void claimsThatAreAbsentOrOfAWrongTypeMakeATokenInvalid(String claims) {
    Refused.with(Refusal.INVALID, () -> verifier.verify(signed(claims)));
  }

  @Test
  void aSubjectHasAtMost255Characters() {
    String longest = "s".repeat(255);
    assertThat(verifier.verify(token("'sub':'" + longest + "'")).id()).isEqualTo(longest);

    Refused.with(Refusal.INVALID, () -> verifier.verify(token("'sub':'s" + longest + "'")));
  }

  @Test
  void anExpiryMayHaveAFraction() {
    assertThat(verifier.verify(signed("'sub':'a','exp':1999999999.5")).id()).isEqualTo("a");
  }

  @Test
  void issuerAndAudienceMustBeTheConfiguredOnes() {
    JwtVerifier strict = verifier(new JwtRules("https://idp", "engine", Set.of()));
    String subject = "'sub':'alice',";

    for (String good :
        new String[] {
          "'iss':'https://idp','aud':'engine'", "'iss':'https://idp','aud':['other','engine']"
        }) {
      assertThat(strict.verify(token(subject + good)).id()).isEqualTo("alice");
    }
    for (String bad :
        new String[] {
          "'iss':'https://idp'",
          "'aud':'engine'",
          "'iss':'https://idp/','aud':'engine'",
          "'iss':'https://idp','aud':'other'",
          "'iss':'https://idp','aud':[]",
          "'iss':['https://idp'],'aud':'engine'"
        }) {
      Refused.with(Refusal.INVALID, () -> strict.verify(token(subject + bad)));
    }
  }

  @Test
  void withoutConfigurationAnyIssuerAndAudienceWillDo() {
    String token = token("'sub':'alice','iss':'anybody','aud':'somebody else'");

    assertThat(verifier.verify(token).id()).isEqualTo("alice");
  }

  private JwtVerifier verifier(JwtRules rules) {
    return new JwtVerifier(keys.getPublic(), rules, clock);
  }

  /** A token with these claims that expires in an hour. */
  private String token(String claims) {
    return signed(claims + ",'exp':" + (now + 3600));
  }

  private String signed(String claims) {
    return TestJwts.signed(keys.getPrivate(), "{" + claims.replace('\'', '"') + "}");
  }
}
