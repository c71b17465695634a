package agentengine.trace;

import java.util.function.Supplier;

/** The span that the current work is part of. */
final class CurrentSpan {
  private static final ScopedValue<Span> SPAN = ScopedValue.newInstance();

  private CurrentSpan() {}

  static Span get() {
    return SPAN.orElse(NoTracing.OFF);
  }

  static <T> T within(Span span, Supplier<T> work) {
    return ScopedValue.where(SPAN, span).call(work::get);
  }

  static void run(Span span, Runnable work) {
    ScopedValue.where(SPAN, span).run(work);
  }

  /** Nothing is bound when nothing is traced: then it is the work itself. */
  static Runnable carried(Runnable work) {
    if (!SPAN.isBound()) {
      return work;
    }
    Span span = SPAN.get();
    return () -> run(span, work);
  }
}
