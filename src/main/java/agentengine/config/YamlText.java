package agentengine.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The bytes of a document as text. */
final class YamlText {
  private YamlText() {}

  /**
   * Decodes UTF-8.
   *
   * @throws ConfigurationException that names the place of what is not UTF-8
   */
  static String decoded(byte[] utf8) {
    ByteBuffer in = ByteBuffer.wrap(utf8);
    CharBuffer out = CharBuffer.allocate(utf8.length);
    boolean malformed =
        StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPORT)
            .decode(in, out, true)
            .isError();
    String text = out.flip().toString();
    if (malformed) {
      int line = (int) text.chars().filter(c -> c == '\n').count() + 1;
      int column = text.length() - text.lastIndexOf('\n');
      throw new ConfigurationException(
          List.of(new ConfigurationException.Problem(line, column, "", "not valid UTF-8")));
    }
    return text;
  }
}
