package agentengine.limit;

import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/** A clock that moves when a test says so. */
final class ManualClock implements InstantSource {
  private final AtomicLong now =
      new AtomicLong(Instant.parse("2026-03-01T12:00:00.250Z").toEpochMilli());

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(now.get());
  }

  @Override
  public long millis() {
    return now.get();
  }

  void advance(long millis) {
    now.addAndGet(millis);
  }
}
