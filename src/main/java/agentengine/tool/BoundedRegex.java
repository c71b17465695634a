package agentengine.tool;

import com.networknt.schema.regex.RegularExpression;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A pattern of a schema whose matching ends: some patterns take years on some texts, and the text
 * comes from a model.
 */
final class BoundedRegex implements RegularExpression {
  private static final int MAX_STEPS = 2_000_000;

  /** The matching was given up. */
  static final class TooMuchWork extends RuntimeException {}

  private final Pattern pattern;
  private final boolean anchoredAtEnd;

  BoundedRegex(String regex) {
    try {
      this.pattern = Pattern.compile(regex);
    } catch (PatternSyntaxException e) {
      throw new IllegalArgumentException("not a pattern: " + e.getDescription(), e);
    }
    this.anchoredAtEnd = regex.endsWith("$") && !regex.endsWith("\\$");
  }

  @Override
  public boolean matches(String value) {
    Matcher matcher = pattern.matcher(new Counted(value));
    // Java's $ also matches before a line break at the end; JSON Schema's does not.
    return matcher.find() && (!anchoredAtEnd || matcher.end() == value.length());
  }

  /** A text that counts how often it is looked at. */
  private static final class Counted implements CharSequence {
    private final String text;
    private int steps;

    Counted(String text) {
      this.text = text;
    }

    @Override
    public int length() {
      return text.length();
    }

    @Override
    public char charAt(int index) {
      if (++steps > MAX_STEPS) {
        throw new TooMuchWork();
      }
      return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int start, int end) {
      return text.subSequence(start, end);
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
