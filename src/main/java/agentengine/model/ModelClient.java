package agentengine.model;

import agentengine.secret.Secret;
import agentengine.time.Cancellation;
import agentengine.time.Watchdog;
import agentengine.trace.Span;
import agentengine.trace.Tracing;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The one streaming call. It blocks the calling virtual thread until the answer is complete, asks
 * again while nothing has been heard and the failure is of a kind that may pass, and ends at once
 * when it is cancelled.
 */
public final class ModelClient {
  private static final Logger LOG = System.getLogger(ModelClient.class.getName());
  private static final int MAX_ATTEMPTS = 3;
  private static final Duration RETRY_WINDOW = Duration.ofSeconds(10);
  private static final Duration FIRST_BACK_OFF = Duration.ofMillis(250);

  private final UnaryOperator<String> resolveBaseUrl;
  private final ModelRegistry registry;
  private final Watchdog watchdog;
  private final Supplier<ModelLimits> limits;
  private final ModelMetrics metrics;
  private final Tracing tracing;

  /**
   * @param resolveBaseUrl turns a declared base URL into the one to call
   */
  public ModelClient(
      UnaryOperator<String> resolveBaseUrl,
      ModelRegistry registry,
      Watchdog watchdog,
      Supplier<ModelLimits> limits,
      MeterRegistry meters,
      Tracing tracing) {
    this.resolveBaseUrl = resolveBaseUrl;
    this.registry = registry;
    this.watchdog = watchdog;
    this.limits = limits;
    this.metrics = new ModelMetrics(meters);
    this.tracing = tracing;
  }

  /**
   * Asks the first of the models and relays its answer. The next one stands in for a model that
   * still fails after all its tries, but not once something was heard, nor for a refusal, which
   * somebody must mend.
   *
   * @throws ModelException when there is no answer; its message holds no secret
   */
  public Served stream(
      List<ModelRecord> candidates,
      ModelRequest request,
      ModelListener listener,
      Cancellation cancellation) {
    FailedModels failed = new FailedModels();
    for (Iterator<ModelRecord> models = candidates.iterator(); ; ) {
      ModelRecord model = models.next();
      AtomicBoolean heard = new AtomicBoolean();
      try {
        return new Served(model, askUpToThrice(model, request, listener, heard, cancellation));
      } catch (ModelException failure) {
        failed.add(model, failure);
        if (!failure.retriable() || heard.get() || !models.hasNext()) {
          throw failed.asOne();
        }
        metrics.stoodInFor(model.name());
        LOG.log(
            Level.WARNING,
            "model {0} failed and the next one stands in for it: {1}",
            model.name(),
            failure.reason());
      }
    }
  }

  private ModelAnswer askUpToThrice(
      ModelRecord model,
      ModelRequest request,
      ModelListener listener,
      AtomicBoolean heard,
      Cancellation cancellation) {
    long start = System.nanoTime();
    ModelListener noting = new FirstToken(listener, heard, model, start);
    Duration backOff = FIRST_BACK_OFF;
    for (int attempt = 1; ; attempt++) {
      try {
        return ask(model, request, noting, cancellation);
      } catch (ModelException failure) {
        Duration pause = failure.retryAfter() == null ? backOff : failure.retryAfter();
        boolean worthIt =
            failure.retriable()
                && !heard.get()
                && attempt < MAX_ATTEMPTS
                && System.nanoTime() - start + pause.toNanos() < RETRY_WINDOW.toNanos();
        if (!worthIt) {
          throw failure;
        }
        rest(pause, cancellation);
        backOff = backOff.multipliedBy(4);
      }
    }
  }

  /**
   * Asks the model without a second try, which could hide a failure.
   *
   * @throws ModelException when there is no answer; its message holds no secret
   */
  public ModelAnswer askOnce(ModelRecord model, ModelRequest request) {
    FirstToken listener =
        new FirstToken(Unheard.ANSWER, new AtomicBoolean(), model, System.nanoTime());
    return ask(model, request, listener, new Cancellation());
  }

  private ModelAnswer ask(
      ModelRecord model, ModelRequest request, ModelListener listener, Cancellation cancellation) {
    Span span = tracing.modelCall(model.kind().telemetryName(), model.modelName(), model.baseUrl());
    try {
      ModelAnswer answer = attempt(model, request, listener, cancellation);
      metrics.answered(model.name(), answer.usage());
      answer.usage().tell(span);
      span.end(null);
      return answer;
    } catch (ModelException e) {
      span.end(e.kind().wireName());
      throw masked(e, model.apiKey());
    } catch (RuntimeException e) {
      span.end(e.getClass().getName());
      throw e;
    }
  }

  private ModelAnswer attempt(
      ModelRecord model, ModelRequest request, ModelListener listener, Cancellation cancellation) {
    ModelLimits now = limits.get();
    try (Watchdog.Watch watch = watchdog.watch(now.connect().plus(now.firstToken()))) {
      cancellation.enter(watch);
      try {
        ModelTarget target = target(model);
        WireFormat wire = WireFormat.of(model.kind());
        AnswerDraft draft = new AnswerDraft(listener);
        ProviderConnection.exchange(
            wire.request(target, request),
            wire.framing(),
            new ProviderCall(watch, now, listener),
            wire.reader(target, draft));
        return draft.answer(model, request);
      } catch (RuntimeException e) {
        throw ended(watch, e);
      } finally {
        cancellation.leave(watch);
      }
    }
  }

  /** Only where a request depends on it, the registry is asked: it is not read for nothing. */
  private ModelTarget target(ModelRecord model) {
    RegistryModel known =
        switch (model.kind()) {
          case ANTHROPIC, GOOGLE -> registry.entryFor(model).orElse(null);
          default -> null;
        };
    return new ModelTarget(model, resolveBaseUrl.apply(model.address()), known);
  }

  private static RuntimeException ended(Watchdog.Watch watch, RuntimeException e) {
    return switch (watch.ending()) {
      case STOPPED -> new ModelException(ModelException.Kind.CANCELLED, "cancelled", null, e);
      case EXPIRED ->
          new ModelException(
              ModelException.Kind.TIMEOUT, "the provider did not answer in time", null, e);
      case null -> e;
    };
  }

  private void rest(Duration pause, Cancellation cancellation) {
    try (Watchdog.Watch watch = watchdog.watch(RETRY_WINDOW)) {
      cancellation.enter(watch);
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        throw ended(watch, new IllegalStateException(e));
      } finally {
        cancellation.leave(watch);
      }
    }
  }

  /** A provider may repeat the key it was sent; nobody else may see it. */
  private static ModelException masked(ModelException e, @Nullable Secret key) {
    if (key == null || key.reveal().isBlank() || !e.reason().contains(key.reveal())) {
      return e;
    }
    return new ModelException(
        e.kind(), e.reason().replace(key.reveal(), key.toString()), e.retryAfter(), null);
  }

  /** For a caller who only wants the whole answer. */
  private enum Unheard implements ModelListener {
    ANSWER;

    @Override
    public void thinking(String text) {}

    @Override
    public void text(String text) {}

    @Override
    public void pause() {}
  }

  /** Notes when the first piece came, which is also when asking again is over. */
  private final class FirstToken implements ModelListener {
    private final ModelListener next;
    private final AtomicBoolean heard;
    private final ModelRecord model;
    private final long start;

    FirstToken(ModelListener next, AtomicBoolean heard, ModelRecord model, long start) {
      this.next = next;
      this.heard = heard;
      this.model = model;
      this.start = start;
    }

    @Override
    public void thinking(String text) {
      note();
      next.thinking(text);
    }

    @Override
    public void text(String text) {
      note();
      next.text(text);
    }

    @Override
    public void pause() {
      next.pause();
    }

    private void note() {
      if (!heard.getPlain()) {
        heard.setPlain(true);
        metrics.firstToken(model.name(), System.nanoTime() - start);
      }
    }
  }
}
