package agentengine.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MasterKeyTest {
  private static final Secret SECRET = new Secret("geheim ü 密");

  private final MasterKey key = TestMasterKeys.ofByte(1);

  @TempDir Path directory;

  @Test
  void whatWasSealedOpensToTheSameText() {
    assertThat(key.open(key.seal(SECRET, "api_key"), "api_key")).isEqualTo(SECRET);
    assertThat(key.open(key.seal(new Secret(""), "api_key"), "api_key").reveal()).isEmpty();
  }

  @Test
  void theSameTextIsNeverSealedTheSameWayTwice() {
    assertThat(key.seal(SECRET, "api_key")).isNotEqualTo(key.seal(SECRET, "api_key"));
  }

  @Test
  void anotherKeyOpensNothing() {
    String sealed = key.seal(SECRET, "api_key");

    refused(TestMasterKeys.ofByte(2), sealed, "api_key");
  }

  @Test
  void whatWasSealedForOnePurposeDoesNotOpenForAnother() {
    String sealed = key.seal(SECRET, "api_key");

    refused(key, sealed, "signing_key");
  }

  @Test
  void aChangedByteAnywhereIsNoticed() {
    byte[] sealed = Base64.getDecoder().decode(key.seal(SECRET, "api_key"));
    for (int i = 0; i < sealed.length; i++) {
      byte[] changed = sealed.clone();
      changed[i] ^= 1;
      refused(key, Base64.getEncoder().encodeToString(changed), "api_key");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "AAAA", "AAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAA", "not base64!"})
  void whatWasNeverSealedDoesNotOpen(String sealed) {
    refused(key, sealed, "api_key");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "AAAA", "not base64!", "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=="})
  void aKeyMustBeBase64OfThirtyTwoBytes(String text) {
    assertThatThrownBy(() -> MasterKey.ofBase64(text)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aKeyFileIsMadeForItsOwnerOnlyAndIsTheSameKeyEverAfter() throws IOException {
    Path file = directory.resolve("master.key");

    String sealed = MasterKey.ofFile(file).seal(SECRET, "api_key");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(MasterKey.ofFile(file).open(sealed, "api_key")).isEqualTo(SECRET);
  }

  @Test
  void aDamagedKeyFileIsNamedAndLeftAlone() throws IOException {
    Path file = Files.writeString(directory.resolve("master.key"), "AAAA");

    assertThatThrownBy(() -> MasterKey.ofFile(file))
        .isInstanceOf(IOException.class)
        .hasMessage("the key file " + file + " is damaged: it has 3 bytes where 32 are needed");
    assertThat(file).hasContent("AAAA");
  }

  @Test
  void aKeyFileThatIsToExistIsNotMade() throws IOException {
    Path file = directory.resolve("master.key");

    assertThatThrownBy(() -> MasterKey.ofExistingFile(file))
        .isInstanceOf(NoSuchFileException.class);
    assertThat(file).doesNotExist();

    String mark = MasterKey.ofFile(file).mark("text", "audit");
    assertThat(MasterKey.ofExistingFile(file).mark("text", "audit")).isEqualTo(mark);
  }

  @Test
  void aMarkIsTheSameEachTimeAndAnotherForAnotherTextPurposeOrKey() {
    String mark = key.mark("geheim ü 密", "audit.row");

    assertThat(mark).matches("[0-9a-f]{64}").isEqualTo(key.mark("geheim ü 密", "audit.row"));
    assertThat(mark)
        .isNotEqualTo(key.mark("geheim u 密", "audit.row"))
        .isNotEqualTo(key.mark("geheim ü 密", "audit.head"))
        .isNotEqualTo(TestMasterKeys.ofByte(2).mark("geheim ü 密", "audit.row"));
    assertThat(key.mark("", "audit.row")).isNotEqualTo(key.mark("", "audit.head"));
  }

  @Test
  void aMarkIsTheHmacThatAnybodyWithTheKeyCanMake() {
    // printf mark:audit.row | openssl dgst -sha256 -mac HMAC -macopt hexkey:$KEY, and with that
    // printf 'some text' | openssl dgst -sha256 -mac HMAC -macopt hexkey:$DERIVED
    assertThat(key.mark("some text", "audit.row"))
        .isEqualTo("ebd2e37ec3a885d5920fd8d48f6c01633d3452f7360d3174c090b51218ca7a0b");
  }

  @Test
  void aSecretIsNotPrintedByAccident() {
    assertThat(SECRET.toString()).isEqualTo("***");
    assertThat("the secret is " + SECRET).isEqualTo("the secret is ***");
  }

  @Test
  void secretsAreEqualWhenTheirTextsAre() {
    assertThat(SECRET).isEqualTo(new Secret(SECRET.reveal())).hasSameHashCodeAs(SECRET.reveal());
    assertThat(SECRET).isNotEqualTo(new Secret("other"));
  }

  private static void refused(MasterKey key, String sealed, String purpose) {
    assertThatThrownBy(() -> key.open(sealed, purpose))
        .isInstanceOf(MasterKey.WrongKeyException.class);
  }
}
