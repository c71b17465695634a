package agentengine.http;

import agentengine.error.EngineException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Locale;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One end of a stretch of time in a query: a moment, or a whole day of UTC that belongs to it. */
final class QueryTime {
  private static final Pattern DAY = Pattern.compile("\\d{4}-\\d{2}-\\d{2}");
  private static final Pattern MOMENT =
      Pattern.compile(
          "\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})");

  private QueryTime() {}

  /** Where the stretch begins. */
  static @Nullable Instant from(Exchange exchange, String name) {
    return read(exchange, name, QueryTime::startOf);
  }

  /** The last moment of the stretch. */
  static @Nullable Instant to(Exchange exchange, String name) {
    return read(exchange, name, day -> startOf(day.plusDays(1)).minusMillis(1));
  }

  private static Instant startOf(LocalDate day) {
    return day.atStartOfDay(ZoneOffset.UTC).toInstant();
  }

  private static @Nullable Instant read(
      Exchange exchange, String name, Function<LocalDate, Instant> ofDay) {
    String value = exchange.query(name);
    if (value == null) {
      return null;
    }
    // A plus sign that was not encoded arrives as a space; nothing else can be meant by it.
    String text = value.toUpperCase(Locale.ROOT).replace(' ', '+');
    try {
      if (DAY.matcher(text).matches()) {
        return ofDay.apply(LocalDate.parse(text));
      }
      if (MOMENT.matcher(text).matches()) {
        return OffsetDateTime.parse(text).toInstant();
      }
    } catch (DateTimeException _) {
      // A 30th of February, or an hour 25; told below.
    }
    throw EngineException.invalid(
        name, "must be a date like 2026-03-01 or a time like 2026-03-01T12:00:00Z");
  }
}
