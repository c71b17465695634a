package agentengine.metric;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The meters of one name that differ in their labels. Agents, models and tools come and go, but a
 * series stays for the life of the process: so a label shows its first values, and from then on
 * {@value #OTHER} for all new ones.
 */
public final class Labelled<M> {
  /** What stands for the values that are too many. */
  public static final String OTHER = "other";

  static final int MAX_VALUES = 200;

  private final List<String> labels;
  private final Function<List<Tag>, M> maker;
  private final Map<List<String>, M> meters = new ConcurrentHashMap<>();
  private final List<Set<String>> shown; // for each label; guarded by this

  private Labelled(List<String> labels, Function<List<Tag>, M> maker) {
    this.labels = labels;
    this.maker = maker;
    this.shown = Stream.<Set<String>>generate(HashSet::new).limit(labels.size()).toList();
  }

  public static Labelled<Counter> counters(
      MeterRegistry registry, String name, String help, String... labels) {
    return new Labelled<>(
        List.of(labels),
        tags -> Counter.builder(name).description(help).tags(tags).register(registry));
  }

  public static Labelled<Timer> timers(
      MeterRegistry registry, String name, String help, List<Duration> buckets, String... labels) {
    return new Labelled<>(
        List.of(labels), tags -> Timers.builder(name, help, buckets).tags(tags).register(registry));
  }

  /** The meter with these values, one for each label. */
  public M of(String... values) {
    List<String> key = List.of(values);
    M known = meters.get(key);
    return known == null ? admitted(key) : known;
  }

  private synchronized M admitted(List<String> values) {
    List<String> admitted = new ArrayList<>(values.size());
    for (int i = 0; i < labels.size(); i++) {
      String value = values.get(i);
      Set<String> ofLabel = shown.get(i);
      boolean room = ofLabel.contains(value) || ofLabel.size() < MAX_VALUES;
      if (room) {
        ofLabel.add(value);
      }
      admitted.add(room ? value : OTHER);
    }
    return meters.computeIfAbsent(List.copyOf(admitted), this::made);
  }

  private M made(List<String> values) {
    return maker.apply(
        IntStream.range(0, labels.size())
            .mapToObj(i -> Tag.of(labels.get(i), values.get(i)))
            .toList());
  }
}
