package agentengine.trace;

import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Something that takes its time, from where it was begun to its end. */
public interface Span {
  /** What is said of work that neither succeeded nor failed: the engine stopped, or lost it. */
  String INTERRUPTED = "interrupted";

  /** Adds to what it used; what a model call used, its turn used. */
  void used(int inputTokens, int outputTokens, int cacheRead, int cacheWritten, int reasoning);

  /**
   * Ends it.
   *
   * @param problem in a word of a small set, or null when all went well
   */
  void end(@Nullable String problem);

  /** Does the work as a part of it, and ends with the work. */
  default <T> T around(Supplier<T> work, Function<T, @Nullable String> problemOf) {
    String problem = INTERRUPTED;
    try {
      T result = CurrentSpan.within(this, work);
      problem = problemOf.apply(result);
      return result;
    } finally {
      end(problem);
    }
  }
}
