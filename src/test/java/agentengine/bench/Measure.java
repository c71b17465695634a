package agentengine.bench;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What can be measured, in the order in which it is. */
enum Measure {
  START,
  RSS,
  COLD,
  THROUGHPUT,
  SHORT_TURNS,
  FIRST_DELTA,
  TURN_200,
  PACED_200,
  PACED_1000;

  /** The name on the command line. */
  String optionName() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  static String allNames() {
    return Arrays.stream(values()).map(Measure::optionName).collect(Collectors.joining(","));
  }

  static Measure named(String name) {
    return Arrays.stream(values())
        .filter(measure -> measure.optionName().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no measurement is called " + name + "; there are " + allNames()));
  }
}
