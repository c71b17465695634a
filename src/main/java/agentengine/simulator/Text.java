package agentengine.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Cuts text into the pieces in which a model sends it, never through the middle of a character. */
final class Text {
  private static final int SHORT = 200;
  private static final Pattern WORD = Pattern.compile("\\s*\\S+|\\s+$");

  private Text() {}

  /** The words, each with the space before it; together they are the text. */
  static Stream<String> words(String text) {
    return WORD.matcher(text).results().map(MatchResult::group);
  }

  static Stream<String> numberedWords(int count) {
    return IntStream.rangeClosed(1, count).mapToObj(n -> n == 1 ? "word1" : " word" + n);
  }

  /** The text in so many pieces of about the same length; there may be fewer. */
  static List<String> pieces(String text, int count) {
    int length = text.codePointCount(0, text.length());
    int size = Math.max(1, Math.ceilDiv(length, count));
    List<String> pieces = new ArrayList<>();
    int from = 0;
    for (int left = length; left > 0; left -= size) {
      int to = text.offsetByCodePoints(from, Math.min(size, left));
      pieces.add(text.substring(from, to));
      from = to;
    }
    return List.copyOf(pieces);
  }

  static String shortened(String text) {
    return shortened(text, 0);
  }

  static String shortened(String text, int from) {
    int length = text.codePointCount(from, text.length());
    return length <= SHORT
        ? text.substring(from)
        : text.substring(from, text.offsetByCodePoints(from, SHORT)) + "…";
  }
}
