package agentengine.model;

import agentengine.secret.Secret;
import agentengine.time.Cancellation;
import agentengine.time.Watchdog;
import agentengine.trace.NoTracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Asks a model as a turn does, on a virtual thread, and notes all that comes of it. */
final class ModelCaller implements AutoCloseable {
  static final String KEY = "key-of-the-model";

  /** Generous: a call that is not meant to run into a limit does not, however busy the machine. */
  static final ModelLimits LIMITS =
      new ModelLimits(Duration.ofSeconds(30), Duration.ofSeconds(60), Duration.ofSeconds(60));

  /** What a call came to: an answer or a failure, and what was heard before. */
  record Outcome(
      @Nullable String servedBy,
      @Nullable ModelAnswer answer,
      @Nullable RuntimeException failure,
      List<String> heard,
      boolean leftInterrupted) {

    ModelAnswer good() {
      if (answer == null) {
        throw new AssertionError("no answer", failure);
      }
      return answer;
    }

    ModelException bad() {
      if (failure instanceof ModelException model) {
        return model;
      }
      throw new AssertionError("expected a ModelException, but got " + this, failure);
    }
  }

  private final Watchdog watchdog = new Watchdog();
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final ModelClient client;
  private final List<ModelRecord> models;

  private ModelCaller(List<ModelRecord> models, ModelLimits limits) {
    this.models = models;
    this.client =
        new ModelClient(
            url -> url, new ModelRegistry(), watchdog, () -> limits, meters, NoTracing.OFF);
  }

  /** Of models that stand in for each other. */
  static ModelCaller of(ModelRecord... models) {
    return new ModelCaller(List.of(models), LIMITS);
  }

  static ModelCaller of(ProviderKind kind, String baseUrl) {
    return of(kind, baseUrl, LIMITS);
  }

  static ModelCaller of(ProviderKind kind, String baseUrl, ModelLimits limits) {
    return of(record(kind, baseUrl), limits);
  }

  static ModelCaller of(ModelRecord model, ModelLimits limits) {
    return new ModelCaller(List.of(model), limits);
  }

  static ModelRecord record(ProviderKind kind, String baseUrl) {
    return record("sim", kind, baseUrl);
  }

  static ModelRecord record(String name, ProviderKind kind, String baseUrl) {
    return record(name, kind, "scripted", baseUrl);
  }

  static ModelRecord record(String name, ProviderKind kind, String modelName, String baseUrl) {
    return new ModelRecord(
        1, name, kind, modelName, baseUrl, new Secret(KEY), Instant.ofEpochSecond(1_700_000_000));
  }

  static ModelRequest request(String message) {
    return new ModelRequest(
        "You help.",
        List.of(new ChatMessage.User(message)),
        List.of(),
        new ModelRequest.Sampling(null, null, null));
  }

  /** Asks and waits for what comes of it. */
  Outcome ask(String message) {
    return begin(request(message)).outcome();
  }

  Outcome ask(ModelRequest request) {
    return begin(request).outcome();
  }

  Running begin(String message) {
    return begin(request(message));
  }

  Running begin(ModelRequest request) {
    return new Running(request);
  }

  /** How often another model took over from this one. */
  double fallbacksFrom(String model) {
    return meters.counter("engine.model.fallbacks", "model", model).count();
  }

  @Override
  public void close() {
    watchdog.close();
  }

  /** A call that is under way. */
  final class Running implements ModelListener {
    private static final long PATIENCE_SECONDS = 60;

    private final Cancellation cancellation = new Cancellation();
    private final ConcurrentLinkedQueue<String> heard = new ConcurrentLinkedQueue<>();
    private final CountDownLatch firstHeard = new CountDownLatch(1);
    private final AtomicReference<@Nullable Outcome> outcome = new AtomicReference<>();
    private final Thread thread;

    private Running(ModelRequest request) {
      thread = Thread.ofVirtual().start(() -> outcome.set(call(request)));
    }

    private Outcome call(ModelRequest request) {
      Served served = null;
      RuntimeException failure = null;
      try {
        served = client.stream(models, request, this, cancellation);
      } catch (RuntimeException e) {
        failure = e;
      }
      return new Outcome(
          served == null ? null : served.by().name(),
          served == null ? null : served.answer(),
          failure,
          List.copyOf(heard),
          Thread.interrupted());
    }

    @Override
    public void thinking(String text) {
      heard("thinking " + text);
    }

    @Override
    public void text(String text) {
      heard("text " + text);
    }

    private void heard(String piece) {
      heard.add(piece);
      firstHeard.countDown();
    }

    @Override
    public void pause() {}

    void cancel() {
      cancellation.request();
    }

    /** Waits until the model has said something. */
    void awaitFirstPiece() {
      try {
        if (!firstHeard.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
          throw new AssertionError("the model said nothing");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }

    Outcome outcome() {
      try {
        if (!thread.join(Duration.ofSeconds(PATIENCE_SECONDS))) {
          throw new AssertionError("the call does not end");
        }
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      Outcome result = outcome.get();
      if (result == null) {
        throw new AssertionError("the call died without an outcome");
      }
      return result;
    }
  }
}
