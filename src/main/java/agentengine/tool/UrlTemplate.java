package agentengine.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A URL in which {@code {argument}} stands for an argument of the call, in path and query only. */
record UrlTemplate(String text) {
  static final int MAX_LENGTH = 2_000;
  private static final int MAX_PORT = 65_535;
  private static final String UNRESERVED = "-._~";
  private static final Pattern PLACE = Pattern.compile("\\{([A-Za-z0-9_.-]{1,100})}");
  private static final Pattern SCHEME_AND_AUTHORITY = Pattern.compile("https?://[^/?#]+");

  /** What is wrong with it, or null. */
  @Nullable String problem() {
    Matcher start = SCHEME_AND_AUTHORITY.matcher(text);
    if (!start.lookingAt()) {
      return "must be a URL like https://host/path";
    }
    if (start.group().indexOf('{') >= 0) {
      return "may take arguments only in its path and query, never in its host";
    }
    try {
      URI uri = new URI(PLACE.matcher(text).replaceAll("x"));
      if (uri.getHost() == null || uri.getPort() > MAX_PORT) {
        return "must be a URL like https://host/path";
      }
      if (uri.getRawUserInfo() != null) {
        return "must not hold a user or password; send them as a header";
      }
      if (uri.getRawFragment() != null) {
        return "must not have a part after #, which is never sent";
      }
      return climbs(uri.getRawPath()) ? "must not have . or .. as a part of its path" : null;
    } catch (URISyntaxException e) {
      return "is not a URL: " + e.getReason() + " at character " + (e.getIndex() + 1);
    }
  }

  /** The arguments that it takes. */
  Set<String> places() {
    Set<String> names = new LinkedHashSet<>();
    Matcher matcher = PLACE.matcher(text);
    while (matcher.find()) {
      names.add(matcher.group(1));
    }
    return names;
  }

  /** The URL with the arguments in their places. */
  String fill(ObjectNode arguments) throws ToolFailure {
    int query = text.indexOf('?');
    StringBuilder url = new StringBuilder();
    Matcher matcher = PLACE.matcher(text);
    while (matcher.find()) {
      String name = matcher.group(1);
      JsonNode value = arguments.path(name);
      if (value.isMissingNode() || value.isNull()) {
        throw new ToolFailure("the argument '" + name + "' is missing, which the address needs");
      }
      String words = words(value);
      boolean inPath = query < 0 || matcher.start() < query;
      if (inPath && words.isEmpty()) {
        // Without it the address would be that of something else, often of everything.
        throw new ToolFailure("the argument '" + name + "' must not be empty");
      }
      matcher.appendReplacement(url, Matcher.quoteReplacement(encode(words)));
    }
    String filled = matcher.appendTail(url).toString();
    if (climbs(URI.create(filled).getRawPath())) {
      throw new ToolFailure("an argument must not be . or .. where it is a part of the path");
    }
    return filled;
  }

  private static boolean climbs(@Nullable String path) {
    return path != null
        && Arrays.stream(path.split("/", -1))
            .map(part -> part.replace("%2e", ".").replace("%2E", "."))
            .anyMatch(part -> part.equals(".") || part.equals(".."));
  }

  /** A value as it stands in a URL before it is encoded: plain text as it is, the rest as JSON. */
  static String words(JsonNode value) {
    return value.isTextual() ? value.textValue() : value.toString();
  }

  static String encode(String text) {
    StringBuilder encoded = new StringBuilder();
    for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (b & 0xff);
      if (c < 0x80 && (Character.isLetterOrDigit(c) || UNRESERVED.indexOf(c) >= 0)) {
        encoded.append(c);
      } else {
        encoded.append('%').append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        encoded.append(Character.toUpperCase(Character.forDigit(c & 0xf, 16)));
      }
    }
    return encoded.toString();
  }
}
