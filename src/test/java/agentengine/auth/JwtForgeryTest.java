package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What people try who want to get in without the private key. */
class JwtForgeryTest {
  private static final String CLAIMS =
      "{\"sub\":\"mallory\",\"scope\":\"admin\",\"exp\":1999999999}";

  private final KeyPair keys = Ed25519.generate();
  private final JwtVerifier verifier =
      new JwtVerifier(keys.getPublic(), JwtRules.NONE, new ManualClock());

  @Test
  void theClaimsAreGoodWhenSignedProperly() {
    assertThat(verifier.verify(TestJwts.signed(keys.getPrivate(), CLAIMS)).isAdmin()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"none", "None", "NONE", "", "eddsa", "Ed25519", "HS256", "RS256", "ES256"})
  void anUnsignedTokenIsRefusedWhateverAlgorithmItNames(String algorithm) {
    String content =
        TestJwts.base64("{\"alg\":\"" + algorithm + "\"}") + "." + TestJwts.base64(CLAIMS);

    refused(content + ".");
    refused(content);
    refused(content + ".AAAA");
  }

  @Test
  void theHeaderMustNameTheAlgorithm() {
    refused(TestJwts.signed(keys.getPrivate(), "{}", CLAIMS));
    refused(TestJwts.signed(keys.getPrivate(), "{\"alg\":null}", CLAIMS));
    refused(TestJwts.signed(keys.getPrivate(), "{\"alg\":[\"EdDSA\"]}", CLAIMS));
    refused(TestJwts.signed(keys.getPrivate(), "{\"alg\":\"none\"}", CLAIMS));
  }

  @Test
  void thePublicKeyIsNotASharedSecret() {
    byte[] encoded = keys.getPublic().getEncoded();
    byte[] raw = new byte[32];
    System.arraycopy(encoded, encoded.length - 32, raw, 0, 32);
    String pem =
        "-----BEGIN PUBLIC KEY-----\n"
            + Base64.getEncoder().encodeToString(encoded)
            + "\n-----END PUBLIC KEY-----\n";

    for (byte[] secret : new byte[][] {encoded, raw, pem.getBytes(StandardCharsets.US_ASCII)}) {
      refused(TestJwts.signedWithSecret(secret, "{\"alg\":\"HS256\"}", CLAIMS));
      refused(TestJwts.signedWithSecret(secret, TestJwts.EDDSA, CLAIMS));
    }
  }

  @Test
  void aKeyOfTheForgerIsNotOurs() throws GeneralSecurityException {
    KeyPair other = Ed25519.generate();
    KeyPair ed448 = KeyPairGenerator.getInstance("Ed448").generateKeyPair();
    String x = TestJwts.base64(other.getPublic().getEncoded());

    refused(TestJwts.signed(other.getPrivate(), CLAIMS));
    refused(TestJwts.signed("Ed448", ed448.getPrivate(), TestJwts.EDDSA, CLAIMS));
    refused(
        TestJwts.signed(
            other.getPrivate(),
            "{\"alg\":\"EdDSA\",\"jwk\":{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"%s\"}}"
                .formatted(x),
            CLAIMS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'alg':'EdDSA','b64':false,'crit':['b64']}",
        "{'alg':'EdDSA','b64':true}",
        "{'alg':'EdDSA','crit':['exp'],'exp':1}",
        "{'alg':'EdDSA','crit':[]}",
        "{'alg':'EdDSA','zip':'DEF'}",
        "{'alg':'EdDSA','alg':'none'}",
        "{'alg':'EdDSA','cty':'text/plain'}",
        "['EdDSA']",
        "'EdDSA'",
        "{'alg':'EdDSA'",
        ""
      })
  void headersThatChangeHowATokenIsReadAreRefusedEvenWhenSigned(String header) {
    refused(TestJwts.signed(keys.getPrivate(), header.replace('\'', '"'), CLAIMS));
  }

  @Test
  void aChangedTokenIsRefusedWhicheverPartWasChanged() {
    String[] parts = TestJwts.signed(keys.getPrivate(), CLAIMS).split("\\.", -1);
    String claims = TestJwts.base64(CLAIMS.replace("mallory", "root"));
    String header = TestJwts.base64("{\"alg\":\"EdDSA\"}");

    refused(header + "." + parts[1] + "." + parts[2]);
    refused(parts[0] + "." + claims + "." + parts[2]);
    refused(parts[0] + "." + parts[1] + "." + TestJwts.base64(new byte[64]));
    refused(parts[0] + "." + parts[1] + "." + parts[2].substring(0, 40));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"x", ".", "..", "...", "a.b.c", "a.b.c.d.e", "\u00e4.\u00f6.\u00fc", "{}"})
  void whatIsNoJwtAtAllIsRefused(String text) {
    refused(text);
  }

  @Test
  void claimsThatAreNoObjectAreRefused() {
    for (String claims : new String[] {"[]", "7", "null", "\"x\"", "", "{", "plain text"}) {
      refused(TestJwts.signed(keys.getPrivate(), claims));
    }
  }

  @Test
  void deeplyNestedJsonIsRefusedAndNothingWorse() {
    String deep = "[".repeat(2_000);

    refused(TestJwts.signed(keys.getPrivate(), "{\"alg\":" + deep, CLAIMS));
    refused(TestJwts.signed(keys.getPrivate(), "{\"sub\":" + deep));
  }

  private void refused(String token) {
    Refused.with(Refusal.INVALID, () -> verifier.verify(token));
  }
}
