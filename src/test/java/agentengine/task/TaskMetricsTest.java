package agentengine.task;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The cost of counting, on a clock that the test moves. */
class TaskMetricsTest {
  private long now = Long.MAX_VALUE - 5; // a clock of this kind may run over
  private int counts;
  private Duration costOfCounting = Duration.ZERO;
  private boolean storeIsDown;
  private final TaskMetrics metrics = new TaskMetrics(this::count, () -> now);

  private Map<TaskStatus, Long> count() {
    counts++;
    pass(costOfCounting);
    if (storeIsDown) {
      throw new IllegalStateException("the store does not answer, as this test wants it");
    }
    return Map.of(TaskStatus.PENDING, 7L);
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void one_count_serves_all_statuses_and_every_look_for_a_while() {
    assertThat(metrics.inStatus(TaskStatus.PENDING)).isEqualTo(7);
    assertThat(metrics.inStatus(TaskStatus.FAILED)).isZero();
    pass(Duration.ofMillis(1_900));
    assertThat(metrics.inStatus(TaskStatus.PENDING)).isEqualTo(7);
    assertThat(counts).isEqualTo(1);

    pass(Duration.ofMillis(200));
    assertThat(metrics.inStatus(TaskStatus.PENDING)).isEqualTo(7);
    assertThat(counts).isEqualTo(2);
  }

  @Test
  void a_count_that_cost_much_is_kept_longer() {
    costOfCounting = Duration.ofSeconds(1);
    assertThat(metrics.inStatus(TaskStatus.PENDING)).isEqualTo(7);

    pass(Duration.ofSeconds(99));
    assertThat(metrics.inStatus(TaskStatus.PENDING)).isEqualTo(7);
    assertThat(counts).isEqualTo(1);
    pass(Duration.ofSeconds(2));
    assertThat(metrics.inStatus(TaskStatus.PENDING)).isEqualTo(7);
    assertThat(counts).isEqualTo(2);
  }

  @Test
  void without_the_store_there_is_no_number_and_no_failure() {
    storeIsDown = true;
    assertThat(metrics.inStatus(TaskStatus.PENDING)).isNaN();
    assertThat(metrics.inStatus(TaskStatus.FAILED)).isNaN();
    assertThat(counts).isEqualTo(1);

    storeIsDown = false;
    pass(Duration.ofSeconds(3));
    assertThat(metrics.inStatus(TaskStatus.PENDING)).isEqualTo(7);
  }
}
