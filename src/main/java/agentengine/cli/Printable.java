package agentengine.cli;

/** Text from a model or a tool, made safe for a terminal. */
final class Printable {
  private Printable() {}

  /**
   * The text without what could steer the terminal or turn around what is read, such as escape
   * sequences and marks of writing direction; lines and tabs stay.
   */
  static String clean(String text) {
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints().filter(Printable::isHarmless).forEach(clean::appendCodePoint);
    return clean.toString();
  }

  private static boolean isHarmless(int c) {
    boolean turnsDirection = (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    return c == '\n' || c == '\t' || !(Character.isISOControl(c) || turnsDirection);
  }

  /** The text in one line. */
  static String oneLine(String text) {
    return clean(text.strip().replaceAll("\\s+", " "));
  }

  /** The beginning of the text in one line of at most so many characters. */
  static String shortened(String text, int max) {
    String line = oneLine(text);
    if (line.codePointCount(0, line.length()) <= max) {
      return line;
    }
    return line.substring(0, line.offsetByCodePoints(0, max - 1)) + "…";
  }
}
