package agentengine.limit;

import agentengine.json.Fields;
import agentengine.time.Durations;
import java.time.Duration;

/** How many requests a window lets through, and how long it is. */
public record Limit(int requests, Duration window) {
  private static final int MAX_REQUESTS = 1_000_000_000;
  private static final Duration MAX_WINDOW = Duration.ofDays(31);
  private static final Limit HARMLESS = new Limit(1, Duration.ofMinutes(1));

  /** Reads the two fields, both of which must be there. */
  static Limit read(Fields fields) {
    Integer requests = fields.integer("requests", 1, MAX_REQUESTS);
    if (requests == null && !fields.has("requests")) {
      fields.reject("requests", "is required");
    }
    return new Limit(requests == null ? HARMLESS.requests : requests, window(fields));
  }

  private static Duration window(Fields fields) {
    String text = fields.requiredString("window", 50);
    if (text.isBlank()) {
      return HARMLESS.window;
    }
    try {
      Duration window = Durations.parse(text);
      if (window.isPositive() && window.compareTo(MAX_WINDOW) <= 0) {
        return window;
      }
      fields.reject("window", "must be more than 0 and at most " + Durations.format(MAX_WINDOW));
    } catch (IllegalArgumentException _) {
      fields.reject("window", "must be a duration like 500ms, 30s or 1h");
    }
    return HARMLESS.window;
  }

  long windowMillis() {
    return window.toMillis();
  }

  @Override
  public String toString() {
    return requests + " requests in " + Durations.format(window);
  }
}
