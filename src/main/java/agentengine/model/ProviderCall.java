package agentengine.model;

import agentengine.time.Watchdog;
import org.jspecify.annotations.Nullable;

/**
 * The call that the current thread makes: where the transport, deep inside LangChain4j, finds the
 * time limits and reports what it saw.
 */
final class ProviderCall {
  private static final ScopedValue<ProviderCall> CURRENT = ScopedValue.newInstance();

  private final Watchdog.Watch watch;
  private final ModelLimits limits;
  private final Runnable pause;
  private @Nullable RuntimeException failure;
  private boolean endIsMissing;

  ProviderCall(Watchdog.Watch watch, ModelLimits limits, Runnable pause) {
    this.watch = watch;
    this.limits = limits;
    this.pause = pause;
  }

  static ProviderCall current() {
    return CURRENT.get();
  }

  void run(Runnable call) {
    ScopedValue.where(CURRENT, this).run(call);
  }

  ModelLimits limits() {
    return limits;
  }

  /** Something arrived: the provider has this long for the next piece. */
  void progress() {
    watch.extend(limits.stall());
  }

  /** The protocol in use marks its end, and this call has not seen it yet. */
  void expectEnd() {
    endIsMissing = true;
  }

  void reachedEnd() {
    endIsMissing = false;
  }

  boolean endIsMissing() {
    return endIsMissing;
  }

  /** Everything that had arrived was handled. */
  void pause() {
    pause.run();
  }

  /** Remembers why the call is over; the first reason is the cause of the others. */
  void fail(RuntimeException reason) {
    if (failure == null) {
      failure = reason;
    }
  }

  @Nullable RuntimeException failure() {
    return failure;
  }
}
