package agentengine.torture;

import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** What a run has counted, and each promise that it saw broken, as a sentence. */
final class Findings {
  private final Map<Count, Long> counts = new ConcurrentHashMap<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final Queue<String> complaints = new ConcurrentLinkedQueue<>();

  void count(Count what) {
    count(what, 1);
  }

  void count(Count what, long howOften) {
    counts.merge(what, howOften, Long::sum);
  }

  long counted(Count what) {
    return counts.getOrDefault(what, 0L);
  }

  void violation(String sentence) {
    violations.add(sentence);
  }

  /** Notes a violation unless the promise was kept. */
  void expect(boolean kept, String otherwise) {
    if (!kept) {
      violation(otherwise);
    }
  }

  /** Keeps what an engine complained about in its log; it may explain a violation. */
  void logged(List<String> lines) {
    for (String line : lines) {
      if (!line.contains(" INFO ")) {
        count(Count.LOG_COMPLAINTS);
        complaints.add(line);
      }
    }
  }

  List<String> complaints() {
    return List.copyOf(complaints);
  }

  List<String> violations() {
    return List.copyOf(violations);
  }
}
