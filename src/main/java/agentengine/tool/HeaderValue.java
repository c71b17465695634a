package agentengine.tool;

import agentengine.secret.Secret;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a header of a declared tool says: a secret, or a reference like {@code Bearer ${TOKEN}} to
 * the environment, which holds none itself.
 */
public record HeaderValue(Secret text) {
  /** What stands for a secret wherever a value is shown. */
  public static final String HIDDEN = "***";

  private static final Pattern VARIABLE = Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)}");
  private static final Pattern REFERENCE =
      Pattern.compile("([A-Za-z][A-Za-z0-9-]* )?" + VARIABLE.pattern());

  public boolean isReference() {
    return REFERENCE.matcher(text.reveal()).matches();
  }

  /** The value as anybody may see it. */
  public String shown() {
    return isReference() ? text.reveal() : HIDDEN;
  }

  /** The environment variables it names. */
  Set<String> variables() {
    Set<String> names = new LinkedHashSet<>();
    Matcher matcher = VARIABLE.matcher(text.reveal());
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** The value as it is sent. */
  Secret resolve(UnaryOperator<@Nullable String> environment) throws ToolFailure {
    Matcher matcher = VARIABLE.matcher(text.reveal());
    StringBuilder resolved = new StringBuilder();
    while (matcher.find()) {
      String value = environment.apply(matcher.group(1));
      if (value == null) {
        throw new ToolFailure(
            "the engine's environment variable " + matcher.group(1) + " is not set");
      }
      matcher.appendReplacement(resolved, Matcher.quoteReplacement(value.strip()));
    }
    return new Secret(matcher.appendTail(resolved).toString());
  }
}
