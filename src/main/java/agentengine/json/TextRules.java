package agentengine.json;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a text from outside may hold, so that both databases and every provider can take it. */
public final class TextRules {
  /** The longest name of an agent, schema, model or knowledge base. */
  public static final int MAX_NAME = 58;

  public static final String RESOURCE_NAME_RULE =
      "must be lower-case letters, digits and hyphens, with a letter or digit at both ends";

  private static final Pattern RESOURCE_NAME = Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?");

  private TextRules() {}

  public static boolean isResourceName(String text) {
    return RESOURCE_NAME.matcher(text).matches();
  }

  /** A text that we did not choose, in a form that both databases take. */
  public static String storable(String text) {
    if (problem(text, Integer.MAX_VALUE) == null) {
      return text;
    }
    StringBuilder clean = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> c == 0 || (c >= 0xD800 && c <= 0xDFFF) ? '\uFFFD' : c)
        .forEach(clean::appendCodePoint);
    return clean.toString();
  }

  /** What is wrong with the text, or null. */
  public static @Nullable String problem(String text, int maxLength) {
    if (text.length() > maxLength) {
      return "must have at most " + maxLength + " characters";
    }
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        return "must not contain a NUL character";
      }
      if (Character.isSurrogate(c)) {
        if (Character.isHighSurrogate(c)
            && i + 1 < text.length()
            && Character.isLowSurrogate(text.charAt(i + 1))) {
          i++;
        } else {
          return "contains half of a surrogate pair, which is not a character";
        }
      }
    }
    return null;
  }
}
