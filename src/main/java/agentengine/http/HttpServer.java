package agentengine.http;

import agentengine.error.ErrorCode;
import agentengine.json.Json;
import agentengine.time.Watchdog;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.DirectHandlers;
import io.helidon.webserver.http1.Http1Config;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The listening socket, with its limits on connections, headers and slow clients. */
public final class HttpServer implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 20_000;
  private static final int MAX_REQUESTS = 16_000;
  private static final int MAX_HEADER_BYTES = 32 * 1024;
  private static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;
  private static final Duration MAX_SILENCE = Duration.ofSeconds(30);
  private static final Duration IDLE = Duration.ofMinutes(2);

  /** Where to listen, and how long open streams may go on when the server stops. */
  public record Options(String host, int port, Duration shutdownGrace) {}

  private final Options options;
  private final WebServer server;

  HttpServer(Options options, Dispatcher dispatcher, Watchdog watchdog) {
    this.options = options;
    server =
        WebServer.builder()
            .host(options.host())
            .port(options.port())
            .shutdownHook(false)
            .featuresDiscoverServices(false)
            .protocolsDiscoverServices(false)
            .useNio(false)
            .connectionOptions(socket -> socket.tcpNoDelay(true).readTimeout(MAX_SILENCE))
            .maxTcpConnections(MAX_CONNECTIONS)
            .maxConcurrentRequests(MAX_REQUESTS)
            .idleConnectionTimeout(IDLE)
            .idleConnectionPeriod(Duration.ofSeconds(10))
            .shutdownGracePeriod(options.shutdownGrace())
            .addProtocol(
                Http1Config.builder()
                    .maxHeadersSize(MAX_HEADER_BYTES)
                    .maxPrologueLength(MAX_REQUEST_LINE_BYTES)
                    .addReceiveListener(new SlowHeaders(watchdog))
                    .build())
            .directHandlers(unroutable())
            .routing(routing -> routing.any(dispatcher))
            .build();
  }

  /** Requests that are too broken to reach a route still get an error of the usual form. */
  private static DirectHandlers unroutable() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (DirectHandler.EventType type : DirectHandler.EventType.values()) {
      handlers.addHandler(type, HttpServer::refuse);
    }
    return handlers.build();
  }

  private static DirectHandler.TransportResponse refuse(
      DirectHandler.TransportRequest request,
      DirectHandler.EventType type,
      Status status,
      ServerResponseHeaders headers,
      @Nullable String message) {
    ErrorCode code =
        switch (status.code()) {
          case 413 -> ErrorCode.PAYLOAD_TOO_LARGE;
          case 503 -> ErrorCode.OVERLOADED;
          case 404 -> ErrorCode.NOT_FOUND;
          case 500 -> ErrorCode.INTERNAL_ERROR;
          default -> ErrorCode.INVALID_REQUEST;
        };
    headers.set(HeaderNames.CONTENT_TYPE, "application/json");
    String text =
        switch (code) {
          case OVERLOADED -> "the engine has all the requests it can take; try again";
          case INTERNAL_ERROR -> "the engine failed; see its log";
          default -> "the request is not valid HTTP, or its head is too large";
        };
    return DirectHandler.TransportResponse.builder()
        .status(status)
        .headers(headers)
        .keepAlive(false)
        .entity(Json.write(ErrorBody.of(code, text, List.of())).getBytes(StandardCharsets.UTF_8))
        .build();
  }

  /**
   * Begins to listen.
   *
   * @throws IllegalStateException with a line for the user when the address cannot be used
   */
  public void start() {
    server.start();
    // The server itself only logs that it could not bind.
    if (!server.isRunning()) {
      throw new IllegalStateException(
          "cannot listen on "
              + options.host()
              + " port "
              + options.port()
              + ": it is in use or not an address of this machine; set ENGINE_PORT or ENGINE_HOST");
    }
  }

  public int port() {
    return server.port();
  }

  /** Takes no new requests, and waits for those under way as long as the grace lasts. */
  @Override
  public void close() {
    server.stop();
  }
}
