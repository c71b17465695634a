package agentengine.time;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms}, {@code 30s}, {@code 1h2m3s}, {@code 7d}. */
public final class Durations {
  private static final Pattern FORM =
      Pattern.compile(
          "(?:(\\d{1,6})d)?(?:(\\d{1,6})h)?(?:(\\d{1,6})m)?(?:(\\d{1,9})s)?(?:(\\d{1,9})ms)?");

  private Durations() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException when the text is not of that form
   */
  public static Duration parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (text.isEmpty() || !matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration like 500ms, 30s, 1h or 7d");
    }
    return Duration.ofDays(part(matcher, 1))
        .plusHours(part(matcher, 2))
        .plusMinutes(part(matcher, 3))
        .plusSeconds(part(matcher, 4))
        .plusMillis(part(matcher, 5));
  }

  private static long part(Matcher matcher, int group) {
    String digits = matcher.group(group);
    return digits == null ? 0 : Long.parseLong(digits);
  }

  public static String format(Duration duration) {
    StringBuilder text = new StringBuilder();
    append(text, duration.toDaysPart(), "d");
    append(text, duration.toHoursPart(), "h");
    append(text, duration.toMinutesPart(), "m");
    append(text, duration.toSecondsPart(), "s");
    append(text, duration.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void append(StringBuilder text, long value, String unit) {
    if (value != 0) {
      text.append(value).append(unit);
    }
  }
}
