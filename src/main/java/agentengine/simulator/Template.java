package agentengine.simulator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Text with {@code {{placeholders}}} for what the request carried. */
record Template(List<Part> parts) {
  private static final Pattern PLACEHOLDER = Pattern.compile("\\{\\{([a-z]+)}}");

  /** What may stand between the braces. */
  enum Placeholder {
    RESULT,
    RESULTS,
    HISTORY,
    SYSTEM,
    USER,
    PREVIOUS,
    TOOLS,
    MODEL,
    STEP;

    private static Placeholder named(String name) {
      return Arrays.stream(values())
          .filter(p -> p.word().equals(name))
          .findFirst()
          .orElseThrow(() -> new BadRequest("Unknown {{" + name + "}}. Known: " + known()));
    }

    private static String known() {
      return Arrays.stream(values())
          .map(p -> "{{" + p.word() + "}}")
          .collect(Collectors.joining(", "));
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private String valueIn(Conversation conversation) {
      return switch (this) {
        case RESULT -> conversation.lastResult();
        case RESULTS -> String.join("\n", conversation.results());
        case HISTORY -> conversation.summary();
        case SYSTEM -> conversation.system();
        case USER -> conversation.userMessage();
        case PREVIOUS -> conversation.previousUserMessage();
        case TOOLS -> String.join(", ", conversation.toolNames());
        case MODEL -> conversation.model();
        case STEP -> String.valueOf(conversation.step() + 1);
      };
    }
  }

  /** A stretch of the text. */
  sealed interface Part {
    /** Text that stays as it is. */
    record Literal(String text) implements Part {}

    /** A value of the request. */
    record Value(Placeholder placeholder) implements Part {}
  }

  static Template literal(String text) {
    return new Template(List.of(new Part.Literal(text)));
  }

  /** Inner cues are for whoever receives the text, so their placeholders are left alone. */
  static Template parse(String text) {
    List<Part> parts = new ArrayList<>();
    int from = 0;
    for (Brackets.Span inner : Brackets.spans(text)) {
      addParts(text.substring(from, inner.from()), parts);
      parts.add(new Part.Literal(text.substring(inner.from(), inner.to())));
      from = inner.to();
    }
    addParts(text.substring(from), parts);
    return new Template(List.copyOf(parts));
  }

  private static void addParts(String text, List<Part> parts) {
    Matcher matcher = PLACEHOLDER.matcher(text);
    int from = 0;
    while (matcher.find()) {
      parts.add(new Part.Literal(text.substring(from, matcher.start())));
      parts.add(new Part.Value(Placeholder.named(matcher.group(1))));
      from = matcher.end();
    }
    parts.add(new Part.Literal(text.substring(from)));
  }

  String fill(Conversation conversation) {
    return fill(conversation, UnaryOperator.identity());
  }

  /** For a text that is JSON: the values stand in its strings. */
  String fillJson(Conversation conversation) {
    return fill(conversation, Json::escaped);
  }

  private String fill(Conversation conversation, UnaryOperator<String> escape) {
    return parts.stream()
        .map(
            part ->
                switch (part) {
                  case Part.Literal(String text) -> text;
                  case Part.Value(Placeholder placeholder) ->
                      escape.apply(placeholder.valueIn(conversation));
                })
        .collect(Collectors.joining());
  }
}
