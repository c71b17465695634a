package agentengine.torture;

import java.util.List;

/** The end of a run in words: all counts, then each broken promise. */
final class Report {
  private static final int MAX_LINES = 50;

  private Report() {}

  static void print(Findings findings) {
    System.out.println();
    for (Count count : Count.values()) {
      System.out.printf("%8d %s%n", findings.counted(count), count.label());
    }
    findings.complaints().stream()
        .limit(MAX_LINES)
        .forEach(line -> System.out.println("LOG: " + line));
    List<String> violations = findings.violations();
    System.out.printf("%8d violations%n", violations.size());
    violations.stream().limit(MAX_LINES).forEach(line -> System.out.println("VIOLATION: " + line));
  }
}
