package agentengine.testing.process;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The other side of declared HTTP tools, which remembers every request: what ran how often is asked
 * here, not in the engine.
 *
 * <p>A tool's address is {@code /TOOL/MARKER}. Its argument {@code wait} (in the query or in a JSON
 * body) is the time in milliseconds that it takes, or {@code hold}: then the first request of that
 * marker is kept until it is released.
 */
public final class ToolServer implements AutoCloseable {
  private static final long MAX_HOLD_SECONDS = 120;
  private static final String HOLD = "hold";

  /** What becomes of a request. */
  public enum Moment {
    ARRIVED,
    ANSWERED,
    BROKEN_OFF
  }

  /** A request as it came. */
  public record Request(String tool, String marker, @Nullable String idempotencyKey) {}

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final ConcurrentLinkedQueue<Request> arrived = new ConcurrentLinkedQueue<>();
  private final ConcurrentLinkedQueue<Request> answered = new ConcurrentLinkedQueue<>();
  private final Map<String, CountDownLatch> held = new ConcurrentHashMap<>();
  private final Consumer<Moment> onMoment;

  private ToolServer(Consumer<Moment> onMoment) {
    this.onMoment = onMoment;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public static ToolServer start() {
    return start(_ -> {});
  }

  /** With somebody who is told at once what happens to a request. */
  public static ToolServer start(Consumer<Moment> onMoment) {
    return new ToolServer(onMoment);
  }

  /** What a tool's {@code url} begins with. */
  public String baseUrl() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** What a tool that ran gives back. */
  public static String resultOf(String marker) {
    return "ran-" + marker;
  }

  /** All requests, the oldest first. */
  public List<Request> requests() {
    return List.copyOf(arrived);
  }

  /** The requests of one call. */
  public List<Request> requests(String marker) {
    return arrived.stream().filter(request -> request.marker().equals(marker)).toList();
  }

  /** Waits until a request of this call is here. */
  public void awaitArrival(String marker) {
    Eventually.until("the tool was called for " + marker, () -> !requests(marker).isEmpty());
  }

  /** Lets go of the held request of this call, and returns when its answer was sent. */
  public void release(String marker) {
    latch(marker).countDown();
    Eventually.until(
        "the tool has answered for " + marker,
        () -> answered.stream().anyMatch(request -> request.marker().equals(marker)));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String[] path = exchange.getRequestURI().getPath().split("/", -1);
      Request request =
          new Request(path[1], path[2], exchange.getRequestHeaders().getFirst("Idempotency-Key"));
      String wait = waitArgument(exchange);
      boolean first = requests(request.marker()).isEmpty();
      arrived.add(request);
      onMoment.accept(Moment.ARRIVED);
      takeTime(wait, first, request.marker());
      answer(exchange, resultOf(request.marker()));
      answered.add(request);
      onMoment.accept(Moment.ANSWERED);
    } catch (IOException e) {
      onMoment.accept(Moment.BROKEN_OFF);
      throw e;
    }
  }

  private static String waitArgument(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readAllBytes();
    if (body.length > 0) {
      JsonNode arguments = Json.parse(new String(body, StandardCharsets.UTF_8));
      return arguments.path("wait").asText("0");
    }
    String query = exchange.getRequestURI().getQuery();
    return query != null && query.startsWith("wait=") ? query.substring("wait=".length()) : "0";
  }

  private void takeTime(String wait, boolean first, String marker) {
    try {
      if (!wait.equals(HOLD)) {
        Thread.sleep(Long.parseLong(wait));
      } else if (first) {
        boolean _ = latch(marker).await(MAX_HOLD_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private CountDownLatch latch(String marker) {
    return held.computeIfAbsent(marker, _ -> new CountDownLatch(1));
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
