package agentengine.http;

import agentengine.agent.Agents;
import agentengine.agent.Schemas;
import agentengine.audit.AdminLog;
import agentengine.audit.ToolCallLog;
import agentengine.auth.ApiTokens;
import agentengine.auth.Authenticator;
import agentengine.auth.LocalSession;
import agentengine.config.Configuration;
import agentengine.config.ConfigurationFile;
import agentengine.config.SettingsStore;
import agentengine.db.Ids;
import agentengine.limit.RateLimits;
import agentengine.model.ModelRegistry;
import agentengine.model.ModelVerifier;
import agentengine.model.Models;
import agentengine.session.Sessions;
import agentengine.task.Tasks;
import agentengine.time.Watchdog;
import agentengine.tool.Tools;
import agentengine.turn.Turns;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The whole API: every capability's routes in one table, behind one server. */
public final class Api {
  /** What the routes show. */
  public record Capabilities(
      ApiTokens tokens,
      @Nullable LocalSession localSession,
      AdminLog adminLog,
      ToolCallLog toolCalls,
      Models models,
      ModelVerifier modelVerifier,
      ModelRegistry modelRegistry,
      Tools tools,
      Agents agents,
      Schemas schemas,
      Sessions sessions,
      Turns turns,
      Tasks tasks,
      RateLimits rateLimits,
      Configuration configuration,
      ConfigurationFile configurationFile,
      SettingsStore settings) {}

  /** What the server itself needs. */
  public record Environment(
      Authenticator authenticator,
      Set<String> corsOrigins,
      PrometheusMeterRegistry meters,
      Watchdog watchdog,
      Ids ids,
      InstantSource clock,
      String version) {}

  private Api() {}

  public static HttpServer server(
      HttpServer.Options options, Capabilities capabilities, Environment environment) {
    Dispatcher dispatcher =
        new Dispatcher(
            new RouteTable(routes(capabilities, environment)),
            environment.authenticator(),
            new LimitedRequests(capabilities.rateLimits()),
            new Cors(environment.corsOrigins()),
            new RequestMetrics(environment.meters()),
            environment.watchdog(),
            environment.ids());
    return new HttpServer(
        options, dispatcher, new Unroutable(environment.ids()), environment.watchdog());
  }

  static List<Route> routes(Capabilities has, Environment environment) {
    AtomicInteger activeStreams = new AtomicInteger();
    Gauge.builder("engine.chat.streams.active", activeStreams, AtomicInteger::get)
        .description("Clients that follow a turn on this node")
        .register(environment.meters());
    SseStream sse = new SseStream(activeStreams);
    return Stream.of(
            new LocalSessionRoutes(has.localSession()).routes(),
            new TokenRoutes(has.tokens()).routes(),
            new RateLimitRoutes(has.rateLimits()).routes(),
            new AuditRoutes(has.adminLog(), has.toolCalls()).routes(),
            new ModelRoutes(has.models(), has.modelVerifier()).routes(),
            new RegistryRoutes(has.modelRegistry()).routes(),
            new ToolRoutes(has.tools()).routes(),
            new AgentRoutes(has.agents()).routes(),
            new SchemaRoutes(has.schemas()).routes(),
            new ChatRoutes(has.turns(), sse, has.settings()).routes(),
            new SessionRoutes(has.sessions(), has.turns(), sse).routes(),
            new TaskRoutes(has.tasks()).routes(),
            new ConfigRoutes(has.configuration(), has.configurationFile()).routes(),
            new SettingsRoutes(has.settings()).routes(),
            new SystemRoutes(
                    has.agents(), environment.meters(), environment.clock(), environment.version())
                .routes(),
            new DocsRoutes().routes())
        .flatMap(List::stream)
        .toList();
  }
}
