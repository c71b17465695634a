package agentengine.tool;

import agentengine.json.Json;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Takes the secrets that were sent with a call out of what came back, where a server repeats it.
 */
final class SecretMask {
  /** Shorter values would be found in half of all texts, and hide little. */
  private static final int MIN_LENGTH = 6;

  private static final Set<String> NEVER_SECRET =
      Set.of("accept", "accept-language", "cache-control", "content-type", "user-agent");

  private final List<String> secrets;

  SecretMask(Map<String, Secret> headers) {
    List<String> found = new ArrayList<>();
    headers.forEach(
        (name, value) -> {
          if (!NEVER_SECRET.contains(name.toLowerCase(Locale.ROOT))) {
            String text = value.reveal();
            addForms(found, text);
            // Without the scheme of "Bearer abc".
            addForms(found, text.substring(text.indexOf(' ') + 1));
          }
        });
    // The longest first: a part of it must not hide the rest from the search.
    secrets =
        found.stream()
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  private static void addForms(List<String> found, String secret) {
    if (secret.length() >= MIN_LENGTH) {
      String quoted = Json.write(TextNode.valueOf(secret));
      String escaped = quoted.substring(1, quoted.length() - 1);
      found.add(secret);
      found.add(escaped);
      found.add(escaped.replace("/", "\\/"));
    }
  }

  String apply(String text) {
    String masked = text;
    for (String secret : secrets) {
      masked = masked.replace(secret, HeaderValue.HIDDEN);
    }
    return masked;
  }
}
