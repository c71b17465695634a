package agentengine.auth;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** A clock that moves when a test says so. */
final class ManualClock implements InstantSource {
  private volatile Instant now = Instant.parse("2026-03-01T12:00:00Z");

  @Override
  public Instant instant() {
    return now;
  }

  void advance(Duration step) {
    now = now.plus(step);
  }
}
