package agentengine.torture;

import java.util.List;
import java.util.Random;

/** Draws one of several. */
final class Pick {
  private Pick() {}

  static <T> T oneOf(T[] values, Random random) {
    List<T> all = List.of(values);
    return all.get(random.nextInt(all.size()));
  }
}
