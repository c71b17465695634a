package agentengine.metric;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.stream.DoubleStream;

/** Timers that keep a histogram of a few chosen buckets, and not the hundreds of a library. */
public final class Timers {
  private Timers() {}

  public static Timer timer(
      MeterRegistry registry, String name, String help, List<Duration> buckets) {
    return builder(name, help, buckets).register(registry);
  }

  static Timer.Builder builder(String name, String help, List<Duration> buckets) {
    return Timer.builder(name)
        .description(help)
        .serviceLevelObjectives(buckets.toArray(Duration[]::new));
  }

  /** Upper bounds of buckets. */
  public static List<Duration> seconds(double... bounds) {
    return DoubleStream.of(bounds)
        .mapToObj(seconds -> Duration.ofNanos(Math.round(seconds * 1e9)))
        .toList();
  }
}
