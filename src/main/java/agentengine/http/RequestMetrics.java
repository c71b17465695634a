package agentengine.http;

import io.helidon.http.Method;
import io.helidon.http.Status;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts requests by route, so that the names of resources do not become labels. */
final class RequestMetrics {
  private static final Set<String> METHODS =
      Set.of("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH");

  private final MeterRegistry meters;

  RequestMetrics(MeterRegistry meters) {
    this.meters = meters;
  }

  void count(Method method, RouteTable.Match match, @Nullable Status status, long nanos) {
    String route =
        match instanceof RouteTable.Match.Found(Route found, var _) ? found.path() : "unmatched";
    String name = METHODS.contains(method.text()) ? method.text() : "OTHER";
    String code = status == null ? "none" : status.codeText();
    meters
        .counter("engine.http.requests", "method", name, "route", route, "status", code)
        .increment();
    meters
        .timer("engine.http.request.duration", "route", route)
        .record(nanos, TimeUnit.NANOSECONDS);
  }
}
