package agentengine.model;

import agentengine.secret.Secret;
import agentengine.time.Cancellation;
import agentengine.time.Watchdog;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
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
  private static final int MAX_ATTEMPTS = 3;
  private static final Duration RETRY_WINDOW = Duration.ofSeconds(10);
  private static final Duration FIRST_BACK_OFF = Duration.ofMillis(250);

  private final Providers providers;
  private final Watchdog watchdog;
  private final Supplier<ModelLimits> limits;
  private final ModelMetrics metrics;

  /**
   * @param resolveBaseUrl turns a declared base URL into the one to call
   */
  public ModelClient(
      UnaryOperator<String> resolveBaseUrl,
      Watchdog watchdog,
      Supplier<ModelLimits> limits,
      MeterRegistry meters) {
    this.providers = new Providers(resolveBaseUrl);
    this.watchdog = watchdog;
    this.limits = limits;
    this.metrics = new ModelMetrics(meters);
  }

  /**
   * Asks the model and relays its answer.
   *
   * @throws ModelException when there is no answer; its message holds no secret
   */
  public ModelAnswer stream(
      ModelRecord model, ModelRequest request, ModelListener listener, Cancellation cancellation) {
    long start = System.nanoTime();
    Duration backOff = FIRST_BACK_OFF;
    for (int attempt = 1; ; attempt++) {
      AtomicBoolean heard = new AtomicBoolean();
      try {
        return ask(model, request, new FirstToken(listener, heard, model, start), cancellation);
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
    try {
      ModelAnswer answer = attempt(model, request, listener, cancellation);
      metrics.answered(model.name(), answer.usage());
      return answer;
    } catch (ModelException e) {
      throw masked(e, model.apiKey());
    }
  }

  private ModelAnswer attempt(
      ModelRecord model, ModelRequest request, ModelListener listener, Cancellation cancellation) {
    ModelLimits now = limits.get();
    try (Watchdog.Watch watch = watchdog.watch(now.connect().plus(now.firstToken()))) {
      cancellation.enter(watch);
      try {
        ProviderCall call = new ProviderCall(watch, now, listener::pause);
        AnswerCollector collector = new AnswerCollector(call, listener);
        call.run(() -> providers.client(model).chat(LangChainMessages.request(request), collector));
        return collector.answer(request);
      } catch (RuntimeException e) {
        throw ended(watch, e);
      } finally {
        cancellation.leave(watch);
      }
    }
  }

  private static ModelException ended(Watchdog.Watch watch, RuntimeException e) {
    return switch (watch.ending()) {
      case STOPPED -> new ModelException(ModelException.Kind.CANCELLED, "cancelled", null, e);
      case EXPIRED ->
          new ModelException(
              ModelException.Kind.TIMEOUT, "the provider did not answer in time", null, e);
      case null -> e instanceof ModelException failure ? failure : ProviderFailures.malformed(e);
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
