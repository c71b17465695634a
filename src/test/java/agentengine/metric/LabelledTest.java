package agentengine.metric;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LabelledTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final Labelled<Counter> turns =
      Labelled.counters(registry, "turns", "Turns", "agent", "outcome");

  @Test
  void the_same_values_are_the_same_meter() {
    turns.of("ann", "completed").increment();
    turns.of("ann", "completed").increment();
    turns.of("ann", "failed").increment();

    assertThat(turns.of("ann", "completed")).isSameAs(turns.of("ann", "completed"));
    assertThat(count("ann", "completed")).isEqualTo(2);
    assertThat(count("ann", "failed")).isEqualTo(1);
  }

  @Test
  void names_without_end_make_a_bounded_number_of_series() {
    for (int i = 0; i < 10 * Labelled.MAX_VALUES; i++) {
      turns.of("agent-" + i, i % 2 == 0 ? "completed" : "failed").increment();
    }

    assertThat(registry.getMeters()).hasSizeLessThanOrEqualTo(2 * (Labelled.MAX_VALUES + 1));
    assertThat(total()).as("nothing goes uncounted").isEqualTo(10 * Labelled.MAX_VALUES);
    assertThat(count(Labelled.OTHER, "completed") + count(Labelled.OTHER, "failed"))
        .isEqualTo(9 * Labelled.MAX_VALUES);
  }

  @Test
  void a_value_that_is_shown_stays_and_the_bound_is_each_labels_own() {
    IntStream.range(0, 2 * Labelled.MAX_VALUES).forEach(i -> turns.of("agent-" + i, "failed"));

    turns.of("agent-0", "completed").increment();
    turns.of("newcomer", "completed").increment();

    assertThat(count("agent-0", "completed")).isEqualTo(1);
    assertThat(count(Labelled.OTHER, "completed")).isEqualTo(1);
  }

  @Test
  void counting_at_once_loses_nothing() throws InterruptedException {
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(_ -> Thread.ofVirtual().start(this::countManyNames))
            .toList();
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(total()).isEqualTo(8 * 1_000);
  }

  private void countManyNames() {
    IntStream.range(0, 1_000).forEach(i -> turns.of("agent-" + i, "completed").increment());
  }

  private double count(String agent, String outcome) {
    return registry.get("turns").tags("agent", agent, "outcome", outcome).counter().count();
  }

  private double total() {
    return registry.getMeters().stream()
        .map(Meter::measure)
        .mapToDouble(measured -> measured.iterator().next().getValue())
        .sum();
  }
}
