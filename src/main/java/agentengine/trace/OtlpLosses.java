package agentengine.trace;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicLong;

/** Counts the spans that a collector did not take, and says so now and then. */
final class OtlpLosses implements SpanExporter {
  private static final Logger LOG = System.getLogger(OtlpTracing.class.getName());
  private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

  private final SpanExporter next;
  private final String collector;
  private final AtomicLong lost = new AtomicLong();
  private final AtomicLong sayAgainAt = new AtomicLong(System.nanoTime());

  /**
   * @param collector how it is called in the log
   */
  OtlpLosses(SpanExporter next, String collector) {
    this.next = next;
    this.collector = collector;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    int count = spans.size();
    CompletableResultCode result = next.export(spans);
    return result.whenComplete(
        () -> {
          if (!result.isSuccess()) {
            lost(count);
          }
        });
  }

  private void lost(int count) {
    lost.addAndGet(count);
    long due = sayAgainAt.get();
    long now = System.nanoTime();
    if (now - due >= 0 && sayAgainAt.compareAndSet(due, now + QUIET_NANOS)) {
      LOG.log(
          Level.WARNING,
          "the collector at "
              + collector
              + " took no spans; lost so far: "
              + lost.get()
              + "; everything else goes on");
    }
  }

  @Override
  public CompletableResultCode flush() {
    return next.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return next.shutdown();
  }
}
