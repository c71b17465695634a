package agentengine.simulator;

import java.util.LinkedHashMap;
import java.util.Map;

/** Counts the requests that met a limited cue, by the cue's key; the oldest keys are forgotten. */
final class Attempts {
  private static final int MAX_KEYS = 1_000;

  private final Map<String, Integer> counts =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Integer> eldest) {
          return size() > MAX_KEYS;
        }
      };

  /** Counts one more attempt and says which one it is, from 1. */
  synchronized int next(String key) {
    return counts.merge(key, 1, Integer::sum);
  }
}
