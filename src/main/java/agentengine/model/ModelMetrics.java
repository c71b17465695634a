package agentengine.model;

import agentengine.metric.Labelled;
import agentengine.metric.Timers;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** What is measured of models. */
final class ModelMetrics {
  private final Labelled<Counter> tokens;
  private final Labelled<Timer> firstToken;
  private final Labelled<Counter> fallbacks;

  ModelMetrics(MeterRegistry meters) {
    tokens =
        Labelled.counters(
            meters, "engine.tokens", "Tokens sent to and had from models", "model", "direction");
    firstToken =
        Labelled.timers(
            meters,
            "engine.time.to.first.token",
            "Time from asking a model to its first piece of text or thinking",
            Timers.seconds(0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 30),
            "model");
    fallbacks =
        Labelled.counters(
            meters,
            "engine.model.fallbacks",
            "Calls that another model took over, by the model that failed",
            "model");
  }

  void answered(String model, ModelAnswer.Usage usage) {
    tokens.of(model, "input").increment(usage.inputTokens());
    tokens.of(model, "output").increment(usage.outputTokens());
  }

  void firstToken(String model, long nanos) {
    firstToken.of(model).record(nanos, TimeUnit.NANOSECONDS);
  }

  void stoodInFor(String failedModel) {
    fallbacks.of(failedModel).increment();
  }
}
