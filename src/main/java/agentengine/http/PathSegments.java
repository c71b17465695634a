package agentengine.http;

import io.helidon.webserver.http.ServerRequest;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request's path, split and then decoded, so that an encoded slash stays inside its segment. */
final class PathSegments {
  private PathSegments() {}

  static List<String> of(ServerRequest request) {
    List<String> segments = new ArrayList<>();
    for (String raw : request.prologue().uriPath().rawPath().split("/", -1)) {
      segments.add(decode(raw));
    }
    return segments;
  }

  /** What cannot be decoded, or holds control characters, is the name of nothing. */
  private static String decode(String raw) {
    if (raw.indexOf('%') < 0) {
      return raw;
    }
    try {
      String text = URLDecoder.decode(raw.replace("+", "%2B"), StandardCharsets.UTF_8);
      return text.chars().anyMatch(Character::isISOControl) ? "" : text;
    } catch (IllegalArgumentException _) {
      return "";
    }
  }
}
