package agentengine.simulator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderValues;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.FilterChain;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.RoutingRequest;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import io.helidon.webserver.http1.Http1Config;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;

/** A model that follows the script in its prompt, on a loopback port of its own. */
public final class Simulator implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final int MAX_BODY_BYTES = 8 * 1024 * 1024;
  private static final int MAX_CONNECTIONS = 10_000;

  /** Longer than any script may pause, so that it ends only what nobody waits for any more. */
  private static final Duration MAX_REQUEST_TIME = Duration.ofMinutes(15);

  private final ReceivedLog log = new ReceivedLog();
  private final WebServer server;

  private Simulator(int port) {
    CompletionHandler completions = new CompletionHandler(log);
    this.server =
        WebServer.builder()
            .host(HOST)
            .port(port)
            .connectionOptions(options -> options.tcpNoDelay(true))
            .protocolsDiscoverServices(false)
            .addProtocol(Http1Config.builder().addReceiveListener(new CurrentConnection()).build())
            .maxPayloadSize(MAX_BODY_BYTES)
            .maxTcpConnections(MAX_CONNECTIONS)
            .idleConnectionTimeout(MAX_REQUEST_TIME)
            .shutdownGracePeriod(Duration.ZERO)
            .shutdownHook(false)
            .routing(routing -> routes(routing, completions))
            .build();
  }

  /** Starts a simulator on this port, or on a free one when it is 0. */
  public static Simulator start(int port) {
    Simulator simulator = new Simulator(port);
    simulator.server.start();
    if (!simulator.server.isRunning()) {
      throw new IllegalStateException("The simulator cannot listen on " + HOST + ":" + port);
    }
    return simulator;
  }

  /** The port it listens on. */
  public int port() {
    return server.port();
  }

  /** The base URL to give to a client of OpenAI's API. */
  public String baseUrl() {
    return "http://" + HOST + ":" + port() + "/v1";
  }

  /** The last requests for a completion, the oldest first. */
  public List<Received> requests() {
    return log.all();
  }

  /**
   * The first request that matches, as soon as there is one; it fails when there is none in time.
   */
  public Received awaitRequest(Predicate<Received> matching, Duration time) {
    return log.await(matching, time);
  }

  /** The first matching request whose client has left before the end of the answer. */
  public Received awaitDisconnect(Predicate<Received> matching, Duration time) {
    return log.await(matching.and(Received::clientLeft), time);
  }

  /** Ends everything at once, answers under way included. */
  @Override
  public void close() {
    server.stop();
  }

  private static void routes(HttpRouting.Builder routing, CompletionHandler completions) {
    routing
        .addFilter(Simulator::closeAsAnnounced)
        .post("/v1/chat/completions", completions)
        .get("/v1/models", Simulator::models)
        .any(Simulator::notFound);
  }

  /** Helidon keeps a connection even if the handler has announced its end. */
  private static void closeAsAnnounced(
      FilterChain chain, RoutingRequest request, RoutingResponse response) {
    chain.proceed();
    if (response.headers().containsToken(HeaderValues.CONNECTION_CLOSE)) {
      throw new CloseConnectionException("The answer announced this");
    }
  }

  private static void models(ServerRequest request, ServerResponse response) {
    ObjectNode list = Json.object().put("object", "list");
    list.putArray("data")
        .addObject()
        .put("id", "simulator")
        .put("object", "model")
        .put("created", 0)
        .put("owned_by", "agent-engine");
    new Reply(response).json(list);
  }

  private static void notFound(ServerRequest request, ServerResponse response) {
    String path = request.prologue().method() + " " + request.path().path();
    new Reply(response).error(new ApiError(404, null, "The simulator has no " + path), null);
  }
}
