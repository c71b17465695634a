package agentengine.cli;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A structured output as lines for people. */
final class StructuredOutputText {
  private static final String INDENT = "  ";

  private final List<String> lines = new ArrayList<>();

  private StructuredOutputText() {}

  static List<String> lines(JsonNode payload) {
    StructuredOutputText text = new StructuredOutputText();
    text.addParagraph(payload.path("title"));
    text.addParagraph(payload.path("description"));
    text.addRows(payload.path("rows"));
    text.addQuestions(payload.path("questions"));
    text.addActions(payload.path("actions"));
    return text.lines;
  }

  private void addParagraph(JsonNode text) {
    Printable.clean(text.asText()).lines().forEach(lines::add);
  }

  private void addRows(JsonNode rows) {
    Table table = new Table();
    rows.forEach(row -> table.row(text(row.path("label")), text(row.path("value"))));
    table.lines().forEach(line -> lines.add(INDENT + line));
  }

  private void addQuestions(JsonNode questions) {
    int number = 0;
    for (JsonNode question : questions) {
      number++;
      String fallback = text(question.path("default"));
      lines.add(
          INDENT
              + number
              + ". "
              + text(question.path("label"))
              + kind(question)
              + (fallback.isEmpty() ? "" : ", otherwise " + fallback));
    }
    if (number > 0) {
      lines.add("Answer in your next message.");
    }
  }

  private static String kind(JsonNode question) {
    return switch (question.path("type").asText()) {
      case "select" -> " (one of: " + options(question) + ")";
      case "multiselect" -> " (any of: " + options(question) + ")";
      default -> "";
    };
  }

  private static String options(JsonNode question) {
    List<String> options = new ArrayList<>();
    for (JsonNode option : question.path("options")) {
      String label = text(option.path("label"));
      String value = text(option.path("value"));
      options.add(value.isEmpty() || value.equals(label) ? label : label + " = " + value);
    }
    return String.join(", ", options);
  }

  private void addActions(JsonNode actions) {
    for (JsonNode action : actions) {
      lines.add(
          INDENT + "[" + text(action.path("label")) + "] send: " + text(action.path("value")));
    }
  }

  /** A value in one line; a text without its quotes, nothing for what is not there. */
  private static String text(JsonNode value) {
    boolean isAbsent = value.isMissingNode() || value.isNull();
    return isAbsent
        ? ""
        : Printable.oneLine(value.isTextual() ? value.asText() : Json.write(value));
  }
}
