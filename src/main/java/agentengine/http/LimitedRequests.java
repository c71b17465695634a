package agentengine.http;

import agentengine.auth.Caller;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.limit.RateLimits;
import agentengine.limit.Usage;
import agentengine.limit.Verdict;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;

/** Counts a request, tells on its answer what is left, and refuses it when nothing was. */
final class LimitedRequests {
  private static final HeaderName LIMIT = HeaderNames.create("X-RateLimit-Limit");
  private static final HeaderName REMAINING = HeaderNames.create("X-RateLimit-Remaining");
  private static final HeaderName RESET = HeaderNames.create("X-RateLimit-Reset");

  private final RateLimits limits;

  LimitedRequests(RateLimits limits) {
    this.limits = limits;
  }

  void admit(Exchange exchange, Caller caller) {
    Verdict verdict = limits.count(caller, name -> exchange.wholeHeader(HeaderNames.create(name)));
    if (verdict == null) {
      return;
    }
    Usage usage = verdict.tightest();
    exchange.setHeader(LIMIT, usage.limit().requests());
    exchange.setHeader(REMAINING, usage.remaining());
    exchange.setHeader(RESET, usage.resetSecond());
    if (!verdict.admitted()) {
      exchange.setHeader(HeaderNames.RETRY_AFTER, verdict.retryAfterSeconds());
      throw new EngineException(
          ErrorCode.RATE_LIMITED,
          "at most "
              + usage.limit()
              + " (limit '"
              + usage.rule()
              + "'); try again in "
              + verdict.retryAfterSeconds()
              + " seconds");
    }
  }
}
