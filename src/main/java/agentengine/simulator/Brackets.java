package agentengine.simulator;

import java.util.ArrayList;
import java.util.List;

/** Finds the outermost {@code [[…]]} in a text; an inner pair belongs to the cue around it. */
final class Brackets {
  private static final String OPEN = "[[";
  private static final String CLOSE = "]]";

  private Brackets() {}

  /** A pair: {@code from} is the place of its first bracket, {@code to} the one after its last. */
  record Span(int from, int to) {
    String inner(String text) {
      return text.substring(from + OPEN.length(), to - CLOSE.length());
    }
  }

  static List<Span> spans(String text) {
    List<Span> spans = new ArrayList<>();
    int from = text.indexOf(OPEN);
    while (from >= 0) {
      int to = end(text, from);
      spans.add(new Span(from, to));
      from = text.indexOf(OPEN, to);
    }
    return List.copyOf(spans);
  }

  private static int end(String text, int from) {
    int depth = 0;
    int at = from;
    while (at < text.length()) {
      if (text.startsWith(OPEN, at)) {
        depth++;
        at += OPEN.length();
      } else if (text.startsWith(CLOSE, at) && !text.startsWith("]", at + CLOSE.length())) {
        // Of "]]]" the last two close, so that a text may end with a bracket of its own.
        depth--;
        at += CLOSE.length();
        if (depth == 0) {
          return at;
        }
      } else {
        at++;
      }
    }
    throw new BadRequest("A cue that begins with [[ has no ]]: " + Text.shortened(text, from));
  }
}
