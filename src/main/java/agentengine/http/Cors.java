package agentengine.http;

import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.Set;

/** Lets pages of the configured origins, and no others, use the API. */
final class Cors {
  private static final String METHODS = "GET, POST, PUT, DELETE, HEAD, OPTIONS";
  private static final String REQUEST_HEADERS =
      "Authorization, Content-Type, Idempotency-Key, Last-Event-ID, X-Request-Id,"
          + " X-Model-Provider, X-Model-API-Key, X-Model-Name, traceparent";
  private static final String RESPONSE_HEADERS =
      "Location, Retry-After, WWW-Authenticate, X-Request-Id, X-Session-Id, X-Limit-Applied,"
          + " X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset";
  private static final String MAX_AGE_SECONDS = "600";

  private final Set<String> origins;

  Cors(Set<String> origins) {
    this.origins = origins;
  }

  void addTo(ServerRequest request, ServerResponse response) {
    if (origins.isEmpty()) {
      return;
    }
    response.header(HeaderNames.VARY, "Origin");
    String origin = request.headers().first(HeaderNames.ORIGIN).orElse(null);
    if (origin == null || !(origins.contains(origin) || origins.contains("*"))) {
      return;
    }
    response.header(HeaderNames.ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    response.header(HeaderNames.create("Cross-Origin-Resource-Policy"), "cross-origin");
    response.header(HeaderNames.ACCESS_CONTROL_EXPOSE_HEADERS, RESPONSE_HEADERS);
    if (request.prologue().method().equals(Method.OPTIONS)) {
      response.header(HeaderNames.ACCESS_CONTROL_ALLOW_METHODS, METHODS);
      response.header(HeaderNames.ACCESS_CONTROL_ALLOW_HEADERS, REQUEST_HEADERS);
      response.header(HeaderNames.ACCESS_CONTROL_MAX_AGE, MAX_AGE_SECONDS);
    }
  }
}
