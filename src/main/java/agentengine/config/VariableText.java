package agentengine.config;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code ${VAR}} in a text of the document, which stands for a value of the environment. {@code
 * $${VAR}} stands for the text {@code ${VAR}} itself, so that every text can be written.
 */
final class VariableText {
  private static final String NAME = "\\{([A-Za-z_][A-Za-z0-9_]*)}";
  private static final Pattern PLACE = Pattern.compile("(\\$+)" + NAME);
  private static final Pattern ONLY_REFERENCES = Pattern.compile("(\\$" + NAME + ")+");

  private VariableText() {}

  static boolean hasReference(String written) {
    return PLACE.matcher(written).results().anyMatch(place -> place.group(1).length() == 1);
  }

  /** Whether nothing of the text is told by showing it. */
  static boolean hasOnlyReferences(String written) {
    return ONLY_REFERENCES.matcher(written).matches();
  }

  /** What a written text stands for. */
  static String resolved(String written, UnaryOperator<String> valueOf) {
    Matcher place = PLACE.matcher(written);
    StringBuilder text = new StringBuilder();
    while (place.find()) {
      String value =
          place.group(1).length() == 1 ? valueOf.apply(place.group(2)) : place.group().substring(1);
      place.appendReplacement(text, Matcher.quoteReplacement(value));
    }
    return place.appendTail(text).toString();
  }

  /** How a text is written that refers to nothing. */
  static String escaped(String text) {
    return PLACE.matcher(text).replaceAll(place -> Matcher.quoteReplacement("$" + place.group()));
  }
}
