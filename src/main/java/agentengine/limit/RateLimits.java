package agentengine.limit;

import agentengine.auth.Caller;
import agentengine.db.Database;
import agentengine.metric.Labelled;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Decides which requests come too often: the limit of the settings, and the rules. */
public final class RateLimits implements AutoCloseable {
  /** The limit in the settings, which counts API tokens; no rule has this name. */
  public static final String DEFAULT = "default";

  private static final Logger LOG = System.getLogger(RateLimits.class.getName());
  private static final int MAX_KEYS = 100_000;
  private static final Duration PERIOD = Duration.ofSeconds(1);

  /** Reads a header of a request, whatever the case of its name. */
  @FunctionalInterface
  public interface Headers {
    @Nullable String value(String name);
  }

  private final Database db;
  private final RateLimitRules rules;
  private final Supplier<Limit> defaultLimit;
  private final InstantSource clock;
  private final Labelled<Counter> refused;
  private final Counts counts;
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Thread keeper;
  private boolean isFailing;

  /**
   * Builds the limits.
   *
   * @param defaultLimit asked at each request, so that a change counts at once
   */
  public RateLimits(
      Database db,
      RateLimitRules rules,
      Supplier<Limit> defaultLimit,
      InstantSource clock,
      MeterRegistry meters) {
    this.db = db;
    this.rules = rules;
    this.defaultLimit = defaultLimit;
    this.clock = clock;
    this.refused =
        Labelled.counters(
            meters, "engine.rate.limited", "Requests refused because a limit was used up", "rule");
    refused.of(DEFAULT); // shown from the start, so that the first refusal is an increase
    this.counts = db.shared() ? new SharedCounts(db) : new MemoryCounts(MAX_KEYS);
    this.keeper = Thread.ofVirtual().name("rate-limits").start(this::keepUntilClosed);
  }

  /** Counts a request of an authenticated caller; null when no limit applies to it. */
  public @Nullable Verdict count(Caller caller, Headers headers) {
    List<Claim> claims = claims(caller, headers);
    if (claims.isEmpty()) {
      return null;
    }
    Verdict verdict = counts.count(claims, clock.millis());
    if (!verdict.admitted()) {
      refused.of(verdict.tightest().rule()).increment();
    }
    return verdict;
  }

  private List<Claim> claims(Caller caller, Headers headers) {
    List<RateLimitRule> known = rules.current();
    List<Claim> ofDefault =
        caller.isApiToken()
            ? List.of(new Claim(DEFAULT, caller.id(), DEFAULT, defaultLimit.get()))
            : List.of();
    if (known.isEmpty()) {
      return ofDefault;
    }
    List<Claim> claims = new ArrayList<>(ofDefault);
    for (RateLimitRule rule : known) {
      String value = headers.value(rule.keyHeader());
      if (value != null && !value.isBlank()) {
        String tier =
            rule.tier(rule.tierHeader() == null ? null : headers.value(rule.tierHeader()));
        claims.add(new Claim(rule.name(), Claim.key(value.strip()), tier, rule.limit(tier)));
      }
    }
    return claims;
  }

  /**
   * What a value of a header has used; of several rules on that header the one with the least left.
   * Empty when there is none.
   */
  public Optional<Usage> usage(String keyHeader, String keyValue) {
    long now = clock.millis();
    String key = Claim.key(keyValue.strip());
    return rules.current().stream()
        .filter(rule -> rule.keyHeader().equalsIgnoreCase(keyHeader))
        .map(rule -> usage(rule, key, now))
        .min(Usage.TIGHTEST_FIRST);
  }

  private Usage usage(RateLimitRule rule, String key, long now) {
    Window window = counts.find(rule.name(), key);
    String tier = rule.tier(window == null ? null : window.tier());
    if (window != null && !window.isOpen(rule.limit(tier), now)) {
      // Whether what is over was dropped already must make no difference.
      tier = rule.defaultTier();
      window = null;
    }
    return Usage.of(new Claim(rule.name(), key, tier, rule.limit(tier)), window, now);
  }

  private void keepUntilClosed() {
    try {
      while (!closing.await(PERIOD.toMillis(), TimeUnit.MILLISECONDS)) {
        keep();
      }
    } catch (InterruptedException _) {
      // Nobody interrupts this thread.
    }
  }

  /** Drops what is over, and learns of rules that another node has put. */
  private void keep() {
    try {
      counts.forget(clock.millis());
      if (db.shared()) {
        rules.refresh();
      }
      isFailing = false;
    } catch (RuntimeException e) {
      if (!isFailing) {
        LOG.log(Level.WARNING, "rate limits cannot be kept up to date", e);
      }
      isFailing = true;
    }
  }

  @Override
  public void close() {
    closing.countDown();
    boolean interrupted = false;
    while (keeper.isAlive()) {
      try {
        keeper.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
