package agentengine.http;

import agentengine.agent.Agents;
import agentengine.json.Json;
import agentengine.time.Durations;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** How the engine is: health and metrics. */
final class SystemRoutes {
  private static final Logger LOG = System.getLogger(SystemRoutes.class.getName());

  private final Agents agents;
  private final PrometheusMeterRegistry meters;
  private final InstantSource clock;
  private final String version;
  private final Instant startedAt;

  SystemRoutes(Agents agents, PrometheusMeterRegistry meters, InstantSource clock, String version) {
    this.agents = agents;
    this.meters = meters;
    this.clock = clock;
    this.version = version;
    this.startedAt = clock.instant();
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/health", Access.PUBLIC, this::health),
        Route.get("/metrics", Access.PUBLIC, this::metrics));
  }

  private void health(Exchange exchange) {
    ObjectNode body = Json.object();
    boolean ok = true;
    int agentsCount = 0;
    try {
      agentsCount = agents.count();
    } catch (RuntimeException e) {
      LOG.log(Level.WARNING, "the database does not answer the health check", e);
      ok = false;
    }
    Duration uptime = Duration.between(startedAt, clock.instant());
    body.put("status", ok ? "ok" : "degraded");
    body.put("version", version);
    body.put("agents_count", agentsCount);
    body.put("uptime", Durations.format(uptime.truncatedTo(ChronoUnit.SECONDS)));
    exchange.ok(body);
  }

  private void metrics(Exchange exchange) {
    exchange.send(
        Status.OK_200,
        "text/plain; version=0.0.4; charset=utf-8",
        meters.scrape().getBytes(StandardCharsets.UTF_8));
  }
}
