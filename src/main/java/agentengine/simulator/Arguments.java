package agentengine.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What follows a cue's name: words and {@code key=value} options in any order, then free text. */
final class Arguments {
  private static final Pattern NEXT = Pattern.compile("\\s*(\\S+)");
  private static final Pattern OPTION = Pattern.compile("([a-z_-]+)=(\\S+)");
  private static final Pattern DURATION = Pattern.compile("(\\d{1,9})(ms|s|m)");

  private final List<String> words;
  private final Map<String, String> options;
  private final String text;

  private Arguments(List<String> words, Map<String, String> options, String text) {
    this.words = words;
    this.options = options;
    this.text = text;
  }

  /** What a cue takes: at most so many words, these options, and whether text may follow. */
  record Shape(int words, boolean text, Set<String> options) {}

  static Arguments read(String source, Shape shape) {
    List<String> words = new ArrayList<>();
    Map<String, String> options = new HashMap<>();
    Matcher next = NEXT.matcher(source);
    int at = 0;
    while (next.find(at)) {
      Matcher option = OPTION.matcher(next.group(1));
      if (option.matches()) {
        String key = option.group(1);
        if (!shape.options().contains(key) || options.put(key, option.group(2)) != null) {
          throw new BadRequest("unknown or repeated option " + key);
        }
      } else if (words.size() < shape.words()) {
        words.add(next.group(1));
      } else {
        break;
      }
      at = next.end();
    }
    String text = source.substring(at).strip();
    if (!shape.text() && !text.isEmpty()) {
      throw new BadRequest("nothing may follow, but there is " + Text.shortened(text));
    }
    return new Arguments(words, options, text);
  }

  String text() {
    return text;
  }

  String textOr(String absent) {
    return text.isEmpty() ? absent : text;
  }

  boolean has(int word) {
    return word < words.size();
  }

  String word(int index, String meaning) {
    if (!has(index)) {
      throw new BadRequest(meaning + " is missing");
    }
    return words.get(index);
  }

  int number(int index, String meaning, int min, int max) {
    return number(word(index, meaning), meaning, min, max);
  }

  Duration duration(int index, Duration max) {
    String word = word(index, "the time");
    Matcher matcher = DURATION.matcher(word);
    if (!matcher.matches()) {
      throw new BadRequest("the time must look like 50ms, 2s or 1m, not " + word);
    }
    long amount = Long.parseLong(matcher.group(1));
    Duration duration =
        switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          default -> Duration.ofMinutes(amount);
        };
    if (duration.compareTo(max) > 0) {
      throw new BadRequest("the time must be at most " + max.toMinutes() + "m, not " + word);
    }
    return duration;
  }

  @Nullable String option(String key) {
    return options.get(key);
  }

  int option(String key, int absent, int min, int max) {
    String value = options.get(key);
    return value == null ? absent : number(value, key, min, max);
  }

  private static int number(String text, String meaning, int min, int max) {
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // The message below says the same for what is no number and for what is out of range.
    }
    throw new BadRequest(
        meaning + " must be a number from " + min + " to " + max + ", not " + text);
  }
}
