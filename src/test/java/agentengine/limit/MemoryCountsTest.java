package agentengine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryCountsTest {
  private static final int MAX_KEYS = 100;
  private static final long NOW = 1_772_366_400_000L;
  private static final long MINUTE = 60_000;
  private static final Limit THREE = new Limit(3, Duration.ofMillis(MINUTE));

  private final MemoryCounts counts = new MemoryCounts(MAX_KEYS);

  @Test
  void memory_is_bounded_however_many_keys_come() {
    for (int i = 0; i < 10_000; i++) {
      ask("key" + i, NOW);
    }

    assertThat(counts.size()).isEqualTo(MAX_KEYS + 1);
    counts.forget(NOW + MINUTE);
    assertThat(counts.size()).isZero();
  }

  @Test
  void a_key_that_has_its_place_keeps_its_own_count_when_there_is_no_room_for_others() {
    fill();

    assertThat(ask("key0", NOW)).isTrue();
    assertThat(ask("key0", NOW)).isTrue();
    assertThat(ask("key0", NOW)).isFalse();
  }

  @Test
  void keys_without_room_share_one_count_and_none_gets_more_than_its_limit() {
    fill();

    assertThat(ask("new1", NOW)).isTrue();
    assertThat(ask("new2", NOW)).isTrue();
    assertThat(ask("new1", NOW)).isTrue();
    assertThat(ask("new1", NOW)).isFalse();
    assertThat(ask("new3", NOW)).isFalse();
    assertThat(counts.find("rule", "new1")).isEqualTo(new Window("tier", NOW, NOW + MINUTE, 3));
  }

  @Test
  void a_key_that_shared_a_count_begins_no_window_of_its_own_before_that_is_over() {
    fill();
    for (int i = 0; i < 3; i++) {
      ask("new", NOW + 1);
    }
    counts.forget(NOW + MINUTE);

    assertThat(counts.size()).isEqualTo(1);
    assertThat(ask("new", NOW + MINUTE)).isFalse();
    assertThat(ask("new", NOW + MINUTE + 1)).isTrue();
    counts.forget(NOW + MINUTE + 1);
    assertThat(counts.size()).isEqualTo(1);
    assertThat(counts.find("rule", "other")).isNull();
  }

  @Test
  void a_very_long_key_is_kept_by_its_hash() {
    String key = Claim.key("x".repeat(8_000));

    assertThat(key).hasSizeLessThan(100).isNotEqualTo(Claim.key("x".repeat(8_001)));
    assertThat(Claim.key("short")).isEqualTo("short");
  }

  private void fill() {
    for (int i = 0; i < MAX_KEYS; i++) {
      assertThat(ask("key" + i, NOW)).isTrue();
    }
  }

  private boolean ask(String key, long now) {
    return counts.count(List.of(new Claim("rule", key, "tier", THREE)), now).admitted();
  }
}
