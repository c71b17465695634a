package agentengine.auth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenTextTest {
  // The checksums were computed with another program: base62 of zlib's crc32 in Python.
  @ParameterizedTest
  @CsvSource({
    "000000000000000000000000000000, 2C8GjS",
    "abcdefghijklmnopqrstuvwxyz0123, 2LolCm",
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123, 4KGnwg",
    "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzz, 4IlJEz",
    "Agent0Engine0Token000000431112, 0000MP"
  })
  void theLastSixCharactersAreTheChecksumOfTheThirtyBefore(String random, String checksum) {
    assertThat(TokenText.checksum(random)).isEqualTo(checksum);
    assertThat(TokenText.problem("ae_" + random + checksum)).isNull();
  }

  @Test
  void everyNewTextIsAnotherOneOfTheRightForm() {
    Set<String> texts = new HashSet<>();
    for (int i = 0; i < 1_000; i++) {
      String text = TokenText.generate();
      assertThat(text).matches("ae_[0-9A-Za-z]{36}");
      assertThat(TokenText.problem(text)).isNull();
      texts.add(text);
    }

    assertThat(texts).hasSize(1_000);
  }

  @Test
  void aNewTextUsesTheWholeAlphabet() {
    StringBuilder all = new StringBuilder();
    for (int i = 0; i < 1_000; i++) {
      all.append(TokenText.generate(), 3, 33);
    }

    assertThat(all.chars().distinct().count()).isEqualTo(62);
  }

  @ParameterizedTest
  @CsvSource({
    "'', must start with ae_",
    "AE_0000000000000000000000000000002C8GjS, must start with ae_",
    "ae_, it has 3 characters where 39 are needed",
    "ae_0000000000000000000000000000002C8GjSx, it has 40 characters where 39 are needed",
    "ae_00000000000000000000000000000-2C8GjS, 'only 0-9, A-Z and a-z are allowed'",
    "ae_00000000000000000000000000000ä2C8GjS, 'only 0-9, A-Z and a-z are allowed'",
    "ae_0000000000000000000000000000002C8GjT, not the checksum",
    "ae_0000000000000000000000000000012C8GjS, not the checksum"
  })
  void aTextOfAnotherFormIsToldApartWithTheReason(String text, String reason) {
    assertThat(TokenText.problem(text)).contains(reason);
  }
}
