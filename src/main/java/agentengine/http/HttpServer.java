package agentengine.http;

import agentengine.time.Watchdog;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http1.Http1Config;
import java.time.Duration;

/** The listening socket, with its limits on connections, headers and slow clients. */
public final class HttpServer implements AutoCloseable {
  private static final int MAX_CONNECTIONS = 20_000;
  private static final int MAX_REQUESTS = 16_000;
  private static final int MAX_HEADER_BYTES = 32 * 1024;
  private static final int MAX_REQUEST_LINE_BYTES = 8 * 1024;

  /** Beyond what any route takes: it bounds what the server holds of a body before a route does. */
  private static final long MAX_PAYLOAD_BYTES = 12 * 1024 * 1024;

  private static final Duration MAX_SILENCE = Duration.ofSeconds(30);
  private static final Duration IDLE = Duration.ofMinutes(2);

  /** Where to listen, and how long open streams may go on when the server stops. */
  public record Options(String host, int port, Duration shutdownGrace) {}

  private final Options options;
  private final WebServer server;

  HttpServer(Options options, Dispatcher dispatcher, Unroutable unroutable, Watchdog watchdog) {
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
            .maxPayloadSize(MAX_PAYLOAD_BYTES)
            .idleConnectionTimeout(IDLE)
            .idleConnectionPeriod(Duration.ofSeconds(10))
            .shutdownGracePeriod(options.shutdownGrace())
            .addProtocol(
                Http1Config.builder()
                    .maxHeadersSize(MAX_HEADER_BYTES)
                    .maxPrologueLength(MAX_REQUEST_LINE_BYTES)
                    .addReceiveListener(new SlowHeaders(watchdog))
                    .build())
            .directHandlers(unroutable.forAllEvents())
            .routing(routing -> routing.any(dispatcher))
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
