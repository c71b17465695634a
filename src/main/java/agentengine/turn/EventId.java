package agentengine.turn;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Where an event stands in its session: turn, attempt at that turn, number within the attempt. */
public record EventId(int turn, int attempt, int n) implements Comparable<EventId> {
  private static final Pattern FORM = Pattern.compile("(\\d{1,9})\\.(\\d{1,9})\\.(\\d{1,9})");
  private static final Comparator<EventId> ORDER =
      Comparator.comparingInt(EventId::turn)
          .thenComparingInt(EventId::attempt)
          .thenComparingInt(EventId::n);

  /** Reads what a client sends as its last id; what is not one means nothing. */
  public static Optional<EventId> parse(@Nullable String text) {
    if (text == null) {
      return Optional.empty();
    }
    Matcher matcher = FORM.matcher(text.strip());
    return matcher.matches()
        ? Optional.of(
            new EventId(
                Integer.parseInt(matcher.group(1)),
                Integer.parseInt(matcher.group(2)),
                Integer.parseInt(matcher.group(3))))
        : Optional.empty();
  }

  @Override
  public int compareTo(EventId other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return turn + "." + attempt + "." + n;
  }
}
