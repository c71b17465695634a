package agentengine.http;

import agentengine.testing.TestEngine;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collector;
import java.util.stream.Collectors;

/** The metrics of an engine at one moment. */
record Scrape(List<Sample> samples) {
  private static final Pattern LINE = Pattern.compile("(\\w+)(\\{.*})? (\\S+)");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Collector<String, ?, TreeSet<String>> NAMES =
      Collectors.toCollection(TreeSet::new);

  /** One line; the labels as they stand there, or empty. */
  record Sample(String name, String labels, double value) {
    Set<String> labelNames() {
      return LABEL.matcher(labels).results().map(label -> label.group(1)).collect(NAMES);
    }
  }

  static Scrape of(TestEngine engine) {
    return new Scrape(
        engine
            .anonymous()
            .get("/metrics")
            .text()
            .lines()
            .filter(line -> !line.startsWith("#"))
            .map(Scrape::sample)
            .toList());
  }

  private static Sample sample(String line) {
    Matcher matcher = LINE.matcher(line);
    if (!matcher.matches()) {
      throw new AssertionError("not a line of metrics: " + line);
    }
    String labels = matcher.group(2) == null ? "" : matcher.group(2);
    return new Sample(matcher.group(1), labels, Double.parseDouble(matcher.group(3)));
  }

  /** The sum over all lines of that name that have these labels, each written {@code a="b"}. */
  double sum(String name, String... labels) {
    return samples.stream()
        .filter(sample -> sample.name().equals(name))
        .filter(sample -> List.of(labels).stream().allMatch(sample.labels()::contains))
        .mapToDouble(Sample::value)
        .sum();
  }

  boolean has(String name) {
    return samples.stream().anyMatch(sample -> sample.name().equals(name));
  }
}
