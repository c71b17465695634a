package agentengine.http;

import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.error.FieldError;
import agentengine.json.Json;
import agentengine.limit.RateLimits;
import agentengine.limit.Usage;
import agentengine.time.Durations;
import java.util.ArrayList;
import java.util.List;

/** What has been used of the rate limits. */
final class RateLimitRoutes {
  private final RateLimits limits;

  RateLimitRoutes(RateLimits limits) {
    this.limits = limits;
  }

  List<Route> routes() {
    return List.of(Route.get("/api/v1/rate-limits/usage", Access.scopes(), this::usage));
  }

  private void usage(Exchange exchange) {
    List<FieldError> missing = new ArrayList<>();
    String header = required(exchange, "key_header", missing);
    String value = required(exchange, "key_value", missing);
    if (!missing.isEmpty()) {
      throw EngineException.invalid(missing);
    }
    Usage usage =
        limits
            .usage(header, value)
            .orElseThrow(
                () ->
                    new EngineException(
                        ErrorCode.NOT_FOUND,
                        "no rate limit is keyed on the header '" + header + "'"));
    exchange.ok(
        Json.object()
            .put("rule", usage.rule())
            .put("key", value)
            .put("tier", usage.tier())
            .put("used", usage.used())
            .put("limit", usage.limit().requests())
            .put("window", Durations.format(usage.limit().window()))
            .put("resets_at", usage.resetsAt().toString()));
  }

  private static String required(Exchange exchange, String name, List<FieldError> missing) {
    String value = exchange.query(name);
    if (value == null || value.isBlank()) {
      missing.add(new FieldError(name, "is required"));
      return "";
    }
    return value.strip();
  }
}
