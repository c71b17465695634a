package agentengine.model;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A provider that gives the answers it was told, one a request, and somebody who asks it. */
final class FakeProvider implements AutoCloseable {
  private final FakeServer server;
  private final ModelCaller caller;
  private final CountDownLatch closed;

  private FakeProvider(FakeServer server, ModelCaller caller, CountDownLatch closed) {
    this.server = server;
    this.caller = caller;
    this.closed = closed;
  }

  /** The last of the answers, which are all that goes over the line, is given for ever. */
  static FakeProvider answering(Dialect dialect, String... answers) {
    return serving(dialect, "scripted", answers);
  }

  /** The same for a model of this name. */
  static FakeProvider serving(Dialect dialect, String modelName, String... answers) {
    return at(dialect.kind(), modelName, dialect.basePath(), answers);
  }

  /** The same, with a base URL that has this after host and port. */
  static FakeProvider at(ProviderKind kind, String modelName, String basePath, String... answers) {
    AtomicInteger next = new AtomicInteger();
    FakeServer server =
        FakeServer.start(
            (_, out) ->
                FakeServer.write(
                    out, answers[Math.min(next.getAndIncrement(), answers.length - 1)]));
    return new FakeProvider(
        server,
        ModelCaller.of(
            ModelCaller.record("sim", kind, modelName, server.url() + basePath),
            ModelCaller.LIMITS),
        new CountDownLatch(0));
  }

  /** One that says this and then keeps the connection open without a word. */
  static FakeProvider fallingSilent(Dialect dialect, String answer, ModelLimits limits) {
    CountDownLatch closed = new CountDownLatch(1);
    FakeServer server =
        FakeServer.start(
            (_, out) -> {
              FakeServer.write(out, answer);
              await(closed);
            });
    return new FakeProvider(
        server,
        ModelCaller.of(
            ModelCaller.record(dialect.kind(), server.url() + dialect.basePath()), limits),
        closed);
  }

  private static void await(CountDownLatch latch) {
    try {
      boolean _ = latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  ModelCaller.Running begin() {
    return caller.begin("Hello");
  }

  ModelCaller.Outcome ask() {
    return caller.ask("Hello");
  }

  ModelCaller.Outcome ask(ModelRequest request) {
    return caller.ask(request);
  }

  /** Asks, then asks again with the results of the tools that the answer wanted. */
  ModelCaller.Outcome askTwice(String... results) {
    ModelAnswer first = ask(Talk.request(new ChatMessage.User("Weather?"))).good();
    return ask(Talk.after(first, results));
  }

  List<FakeServer.Request> requests() {
    return server.requests();
  }

  /** Request line and headers of the last request. */
  String head() {
    return server.requests().getLast().head();
  }

  /** The body of the last request. */
  JsonNode body() {
    return Json.parse(server.requests().getLast().body());
  }

  @Override
  public void close() {
    closed.countDown();
    caller.close();
    server.close();
  }
}
