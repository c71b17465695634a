package agentengine.http;

import io.helidon.http.Header;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import java.util.List;

/** What every answer tells browsers not to do. */
final class SecurityHeaders {
  private static final List<Header> HEADERS =
      List.of(
          HeaderValues.createCached("X-Content-Type-Options", "nosniff"),
          HeaderValues.createCached("X-Frame-Options", "DENY"),
          HeaderValues.createCached("Referrer-Policy", "no-referrer"),
          HeaderValues.createCached("Cross-Origin-Resource-Policy", "same-origin"),
          HeaderValues.createCached(
              "Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'"),
          HeaderValues.createCached("Cache-Control", "no-store"));

  private SecurityHeaders() {}

  static void addTo(ServerResponseHeaders headers) {
    HEADERS.forEach(headers::set);
  }
}
