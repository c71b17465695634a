package agentengine.trace;

import agentengine.testing.process.Eventually;
import com.google.protobuf.ByteString;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** Takes spans as a collector does, and keeps them as they came. */
final class Collector implements AutoCloseable {
  /** A request, its body unpacked. */
  record Request(String path, @Nullable String contentType, @Nullable String key, ByteString body) {
    ExportTraceServiceRequest content() {
      try {
        return ExportTraceServiceRequest.parseFrom(body);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  private Collector(HttpServer server) {
    this.server = server;
    server.setExecutor(threads);
    server.createContext("/", this::take);
    server.start();
  }

  static Collector start() {
    try {
      return new Collector(
          HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void take(HttpExchange exchange) throws IOException {
    try (exchange;
        InputStream body = exchange.getRequestBody()) {
      boolean packed = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
      requests.add(
          new Request(
              exchange.getRequestURI().getPath(),
              exchange.getRequestHeaders().getFirst("Content-Type"),
              exchange.getRequestHeaders().getFirst("X-Api-Key"),
              ByteString.readFrom(packed ? new GZIPInputStream(body) : body)));
      exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    }
  }

  List<Request> requests() {
    return requests;
  }

  List<ResourceSpans> resources() {
    return requests.stream()
        .flatMap(request -> request.content().getResourceSpansList().stream())
        .toList();
  }

  List<Span> spans() {
    return resources().stream()
        .flatMap(resource -> resource.getScopeSpansList().stream())
        .flatMap(scope -> scope.getSpansList().stream())
        .toList();
  }

  /** Waits until so many spans are there. */
  List<Span> await(int count) {
    Eventually.until(count + " spans are there", () -> spans().size() >= count);
    return spans();
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
