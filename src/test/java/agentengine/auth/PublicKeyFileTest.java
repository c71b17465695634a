package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.PublicKey;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublicKeyFileTest {
  /** The key of RFC 8037, appendix A. */
  private static final String JWK =
      """
      {"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}
      """;

  private static final String PEM =
      """
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
      -----END PUBLIC KEY-----
      """;

  @TempDir Path directory;

  @Test
  void bothFormsOfOneKeyAreTheSameKey() throws IOException {
    PublicKey ofJwk = SigningKeys.external(file(JWK));
    PublicKey ofPem = SigningKeys.external(file(PEM));

    assertThat(ofJwk).isEqualTo(ofPem);
    assertThat(ofPem.getAlgorithm()).isEqualTo("EdDSA");
  }

  @Test
  void aJwkMayCarryWhatIdentityProvidersAdd() throws IOException {
    String jwk = JWK.replace("{", "{\"kid\":\"2026\",\"use\":\"sig\",\"alg\":\"EdDSA\",");

    assertThat(SigningKeys.external(file(jwk))).isEqualTo(SigningKeys.external(file(PEM)));
  }

  @Test
  void aPemMayHaveTextAroundItAndWindowsLines() throws IOException {
    String pem = "Key of our identity provider:\r\n" + PEM.replace("\n", "\r\n");

    assertThat(SigningKeys.external(file(pem))).isEqualTo(SigningKeys.external(file(JWK)));
  }

  @Test
  void aTokenSignedWithTheOtherHalfIsLetIn() throws IOException {
    KeyPair keys = Ed25519.generate();
    Path file = file(pem("PUBLIC KEY", keys.getPublic().getEncoded()));
    JwtVerifier verifier =
        new JwtVerifier(SigningKeys.external(file), JwtRules.NONE, new ManualClock());

    String token = TestJwts.signed(keys.getPrivate(), "{\"sub\":\"alice\",\"exp\":1999999999}");

    assertThat(verifier.verify(token).id()).isEqualTo("alice");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``, neither PEM",
        "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI, neither PEM",
        "-----BEGIN PUBLIC KEY----- !!!! -----END PUBLIC KEY-----, neither PEM",
        "-----BEGIN PUBLIC KEY----- AAAA= -----END PUBLIC KEY-----, not valid base64",
        "-----BEGIN PUBLIC KEY----- AAAA -----END PUBLIC KEY-----, not an Ed25519 key",
        "-----BEGIN CERTIFICATE----- AAAA -----END CERTIFICATE-----, holds a CERTIFICATE",
        "`{`, not valid JSON",
        "`{}`, must be \"OKP\"",
        "`{\"keys\":[]}`, a set of keys",
        "`{\"kty\":\"RSA\",\"n\":\"AQAB\"}`, must be \"OKP\"",
        "`{\"kty\":\"OKP\",\"crv\":\"X25519\",\"x\":\"AAAA\"}`, and \"crv\" \"Ed25519\"",
        "`{\"kty\":\"OKP\",\"crv\":\"Ed25519\"}`, has 0 bytes where 32 are needed",
        "`{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\"}`, has 3 bytes where 32 are needed",
        "`{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"+/+/\"}`, not valid base64",
        "`{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"AAAA\",\"d\":\"AAAA\"}`, a private key"
      })
  void aFileWithoutAnEd25519PublicKeyIsRefusedWithTheReason(String content, String reason)
      throws IOException {
    Path file = file(content);

    refused(file, reason);
  }

  @Test
  void keysOfOtherKindsAreRefused() throws Exception {
    for (String algorithm : new String[] {"Ed448", "EC", "RSA", "X25519"}) {
      Path file = file(pem("PUBLIC KEY", generate(algorithm).getPublic().getEncoded()));

      refused(file, "its key is not an Ed25519 key");
    }
  }

  @Test
  void aPrivateKeyIsRefusedAndNotShown() throws IOException {
    String secret =
        Base64.getEncoder().encodeToString(Ed25519.generate().getPrivate().getEncoded());
    Path file = file("-----BEGIN PRIVATE KEY-----\n" + secret + "\n-----END PRIVATE KEY-----\n");

    refused(file, "it holds a PRIVATE KEY; a PUBLIC KEY is needed");
    assertThatThrownBy(() -> SigningKeys.external(file))
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain(secret));
  }

  @Test
  void aFileThatCannotBeReadIsNamed() throws IOException {
    refused(directory.resolve("nowhere.pem"), "it does not exist");
    refused(directory, "it is a directory");
    refused(file("x".repeat(100_000)), "it is too large to be a key");
  }

  private static void refused(Path file, String reason) {
    assertThatThrownBy(() -> SigningKeys.external(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the key file " + file + " cannot be used: ")
        .hasMessageContaining(reason)
        .satisfies(e -> assertThat(e.getMessage()).hasLineCount(1));
  }

  private static KeyPair generate(String algorithm) throws NoSuchAlgorithmException {
    return KeyPairGenerator.getInstance(algorithm).generateKeyPair();
  }

  private static String pem(String label, byte[] encoded) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(label, Base64.getMimeEncoder().encodeToString(encoded), label);
  }

  private Path file(String content) throws IOException {
    return Files.writeString(Files.createTempFile(directory, "key", ".txt"), content);
  }
}
