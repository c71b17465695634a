package agentengine.auth;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The form of an API token: {@code ae_}, 30 random base62 characters, and 6 that are the base62 of
 * the CRC32 of those 30, so that a real token can be told from a similar text offline.
 */
final class TokenText {
  /** The form in words. */
  static final String FORM = "ae_, 30 characters of 0-9A-Za-z and their CRC32 as 6 more";

  private static final String PREFIX = "ae_";
  private static final String ALPHABET =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  private static final int RANDOM_LENGTH = 30;
  private static final int CHECKSUM_LENGTH = 6;
  private static final int LENGTH = PREFIX.length() + RANDOM_LENGTH + CHECKSUM_LENGTH;
  private static final SecureRandom RANDOM = new SecureRandom();

  private TokenText() {}

  static String generate() {
    StringBuilder random = new StringBuilder(RANDOM_LENGTH);
    RANDOM
        .ints(RANDOM_LENGTH, 0, ALPHABET.length())
        .forEach(digit -> random.append(ALPHABET.charAt(digit)));
    return PREFIX + random + checksum(random.toString());
  }

  static boolean hasPrefix(String text) {
    return text.startsWith(PREFIX);
  }

  /** What keeps the text from being an API token, or null when nothing does. */
  static @Nullable String problem(String text) {
    if (!hasPrefix(text)) {
      return "it must start with " + PREFIX;
    }
    if (text.length() != LENGTH) {
      return "it has " + text.length() + " characters where " + LENGTH + " are needed";
    }
    String random = text.substring(PREFIX.length(), PREFIX.length() + RANDOM_LENGTH);
    if (!random.chars().allMatch(c -> ALPHABET.indexOf(c) >= 0)) {
      return "after " + PREFIX + " only 0-9, A-Z and a-z are allowed";
    }
    return text.endsWith(checksum(random))
        ? null
        : "its last " + CHECKSUM_LENGTH + " characters are not the checksum of the others";
  }

  static String checksum(String random) {
    CRC32 crc = new CRC32();
    crc.update(random.getBytes(StandardCharsets.US_ASCII));
    char[] digits = new char[CHECKSUM_LENGTH];
    long rest = crc.getValue();
    for (int i = CHECKSUM_LENGTH - 1; i >= 0; i--) {
      digits[i] = ALPHABET.charAt((int) (rest % ALPHABET.length()));
      rest /= ALPHABET.length();
    }
    return new String(digits);
  }
}
