package agentengine.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** How long a provider asks to be left alone. */
final class RetryAfter {
  private RetryAfter() {}

  /** From the headers, or else from the body, where Google puts it; null when it does not say. */
  static @Nullable Duration of(UnaryOperator<@Nullable String> header, JsonNode body) {
    String millis = header.apply("retry-after-ms");
    if (millis != null && millis.matches("\\d{1,9}")) {
      return Duration.ofMillis(Long.parseLong(millis));
    }
    String value = header.apply("Retry-After");
    if (value == null) {
      return inBody(body);
    }
    return value.matches("\\d{1,6}")
        ? Duration.ofSeconds(Long.parseLong(value))
        : until(value, header.apply("Date"));
  }

  /** A date is one of the provider's own clock, which its answer shows. */
  private static @Nullable Duration until(String date, @Nullable String now) {
    if (now == null) {
      return null;
    }
    try {
      DateTimeFormatter format = DateTimeFormatter.RFC_1123_DATE_TIME;
      Duration wait =
          Duration.between(ZonedDateTime.parse(now, format), ZonedDateTime.parse(date, format));
      return wait.isNegative() ? Duration.ZERO : wait;
    } catch (DateTimeParseException _) {
      return null;
    }
  }

  private static @Nullable Duration inBody(JsonNode body) {
    for (JsonNode detail : (body.isArray() ? body.path(0) : body).at("/error/details")) {
      String delay = detail.path("retryDelay").asText("");
      if (delay.matches("\\d{1,6}(\\.\\d{1,9})?s")) {
        double seconds = Double.parseDouble(delay.substring(0, delay.length() - 1));
        return Duration.ofMillis((long) Math.ceil(seconds * 1_000));
      }
    }
    return null;
  }
}
