package agentengine.trace;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A span of the library, and what was used in it. */
final class OtlpSpan implements Span {
  private final io.opentelemetry.api.trace.Span span;
  private final @Nullable OtlpSpan parent;
  private final Map<AttributeKey<Long>, Long> tokens = new LinkedHashMap<>(); // guarded by itself

  OtlpSpan(io.opentelemetry.api.trace.Span span, @Nullable OtlpSpan parent) {
    this.span = span;
    this.parent = parent;
  }

  Context context() {
    return Context.root().with(span);
  }

  @Override
  public void used(
      int inputTokens, int outputTokens, int cacheRead, int cacheWritten, int reasoning) {
    add(inputTokens, outputTokens, cacheRead, cacheWritten, reasoning);
    if (parent != null) {
      parent.add(inputTokens, outputTokens, cacheRead, cacheWritten, reasoning);
    }
  }

  private void add(
      int inputTokens, int outputTokens, int cacheRead, int cacheWritten, int reasoning) {
    synchronized (tokens) {
      tokens.merge(OtlpNames.INPUT, (long) inputTokens, Long::sum);
      tokens.merge(OtlpNames.OUTPUT, (long) outputTokens, Long::sum);
      // Of these zero mostly means that the provider does not say.
      addIfAny(OtlpNames.CACHE_READ, cacheRead);
      addIfAny(OtlpNames.CACHE_WRITTEN, cacheWritten);
      addIfAny(OtlpNames.REASONING, reasoning);
    }
  }

  private void addIfAny(AttributeKey<Long> name, int count) {
    if (count > 0) {
      tokens.merge(name, (long) count, Long::sum);
    }
  }

  @Override
  public void end(@Nullable String problem) {
    synchronized (tokens) {
      tokens.forEach(span::setAttribute);
    }
    if (problem != null) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute(OtlpNames.ERROR_TYPE, problem);
    }
    span.end();
  }
}
