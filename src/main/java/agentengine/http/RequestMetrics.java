package agentengine.http;

import agentengine.metric.Labelled;
import agentengine.metric.Timers;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Counts requests by route, so that the names of resources do not become labels. */
final class RequestMetrics {
  private static final Set<String> METHODS =
      Set.of("GET", "POST", "PUT", "DELETE", "HEAD", "OPTIONS", "PATCH");

  private final Labelled<Counter> requests;
  private final Labelled<Timer> durations;

  RequestMetrics(MeterRegistry meters) {
    requests =
        Labelled.counters(
            meters, "engine.http.requests", "Requests answered", "method", "route", "status");
    durations =
        Labelled.timers(
            meters,
            "engine.http.request.duration",
            "Time from a request's head to the end of its answer, which for a stream is long",
            Timers.seconds(0.005, 0.025, 0.1, 0.5, 2.5, 10, 60),
            "route");
  }

  void count(Method method, RouteTable.Match match, @Nullable Status status, long nanos) {
    String route =
        match instanceof RouteTable.Match.Found(Route found, var _) ? found.path() : "unmatched";
    String name = METHODS.contains(method.text()) ? method.text() : "OTHER";
    String code = status == null ? "none" : status.codeText();
    requests.of(name, route, code).increment();
    durations.of(route).record(nanos, TimeUnit.NANOSECONDS);
  }
}
