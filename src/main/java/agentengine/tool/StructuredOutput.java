package agentengine.tool;

import agentengine.json.Json;
import agentengine.model.ToolDefinition;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Shows the user a table, an information block or a form. The arguments are what is shown; the turn
 * tells the client and ends.
 */
public final class StructuredOutput implements Tool {
  public static final String NAME = "show_structured_output";

  private static final ToolDefinition DEFINITION =
      new ToolDefinition(
          NAME,
          """
          Shows the user a block instead of plain text and ends your turn. summary_table: rows of \
          label and value. info: a title, a description, or both. form: questions; the answers come \
          as the user's next message. Any of them may have actions, which are buttons whose value \
          is sent as the user's next message.""",
          Json.parseObject(
              """
              {"type": "object",
               "required": ["output_type"],
               "additionalProperties": false,
               "properties": {
                 "output_type": {"enum": ["summary_table", "info", "form"]},
                 "title": {"type": "string", "maxLength": 500},
                 "description": {"type": "string", "maxLength": 10000},
                 "rows": {
                   "type": "array", "minItems": 1, "maxItems": 200,
                   "description": "Required for summary_table.",
                   "items": {
                     "type": "object",
                     "required": ["label", "value"],
                     "additionalProperties": false,
                     "properties": {
                       "label": {"type": "string", "minLength": 1, "maxLength": 500},
                       "value": {"type": "string", "maxLength": 5000}}}},
                 "actions": {
                   "type": "array", "maxItems": 10,
                   "items": {
                     "type": "object",
                     "required": ["label", "type", "value"],
                     "additionalProperties": false,
                     "properties": {
                       "label": {"type": "string", "minLength": 1, "maxLength": 200},
                       "type": {"enum": ["primary", "secondary"]},
                       "value": {"type": "string", "minLength": 1, "maxLength": 5000}}}},
                 "questions": {
                   "type": "array", "minItems": 1, "maxItems": 20,
                   "description": "Required for form, and only there. Each id once.",
                   "items": {
                     "type": "object",
                     "required": ["id", "label", "type"],
                     "additionalProperties": false,
                     "properties": {
                       "id": {"type": "string", "minLength": 1, "maxLength": 100},
                       "label": {"type": "string", "minLength": 1, "maxLength": 1000},
                       "type": {"enum": ["text", "select", "multiselect"]},
                       "options": {
                         "type": "array", "minItems": 2, "maxItems": 5,
                         "description": "Required for select and multiselect, and only there.",
                         "items": {
                           "type": "object",
                           "required": ["label"],
                           "additionalProperties": false,
                           "properties": {
                             "label": {"type": "string", "minLength": 1, "maxLength": 500},
                             "value": {"type": "string", "minLength": 1, "maxLength": 500}}}},
                       "default": {
                         "description": "Text; for a select the value of an option, for a \
              multiselect an array of such values.",
                         "anyOf": [
                           {"type": "string", "maxLength": 5000},
                           {"type": "array", "maxItems": 5, "uniqueItems": true,
                            "items": {"type": "string"}}]}}}}}}
              """));

  private final ArgumentRules rules = new ArgumentRules(DEFINITION.parameters());

  @Override
  public ToolDefinition definition() {
    return DEFINITION;
  }

  @Override
  public Effect effect() {
    return Effect.READ_ONLY;
  }

  @Override
  public @Nullable String problem(ObjectNode arguments) {
    String problem = rules.problem(arguments);
    return problem == null ? acrossFields(arguments) : problem;
  }

  /** What the schema that a model is shown cannot say in words that every provider takes. */
  private static @Nullable String acrossFields(ObjectNode payload) {
    List<String> problems = new ArrayList<>();
    String type = payload.path("output_type").asText();
    boolean hasQuestions = payload.has("questions");
    if (type.equals("form") && !hasQuestions) {
      problems.add("a form needs questions");
    }
    if (!type.equals("form") && hasQuestions) {
      problems.add("only a form may have questions");
    }
    if (type.equals("summary_table") && !payload.has("rows")) {
      problems.add("a summary_table needs rows");
    }
    if (type.equals("info") && !payload.has("title") && !payload.has("description")) {
      problems.add("an info needs a title or a description");
    }
    Set<String> ids = new HashSet<>();
    for (JsonNode question : payload.path("questions")) {
      String id = question.path("id").asText();
      if (!ids.add(id)) {
        problems.add("two questions have the id '" + id + "'");
      }
      checkQuestion("question '" + id + "'", question, problems);
    }
    return problems.isEmpty() ? null : String.join("; ", problems);
  }

  private static void checkQuestion(String name, JsonNode question, List<String> problems) {
    String type = question.path("type").asText();
    boolean isChoice = !type.equals("text");
    if (isChoice && !question.has("options")) {
      problems.add(name + " is a " + type + " and needs 2 to 5 options");
      return;
    }
    if (!isChoice && question.has("options")) {
      problems.add(name + " is a text and must not have options");
    }
    JsonNode preset = question.path("default");
    if (preset.isArray() && !type.equals("multiselect")) {
      problems.add(name + " must have a text as its default");
    }
    if (!isChoice) {
      return;
    }
    Set<String> values = new HashSet<>();
    for (JsonNode option : question.path("options")) {
      if (!values.add(option.path("value").asText(option.path("label").asText()))) {
        problems.add(name + " has two options of the same value");
      }
    }
    List<JsonNode> chosen = new ArrayList<>();
    if (preset.isArray()) {
      preset.forEach(chosen::add);
    } else if (preset.isTextual()) {
      chosen.add(preset);
    }
    if (!chosen.stream().allMatch(value -> values.contains(value.textValue()))) {
      problems.add(name + " has a default that is none of its options");
    }
  }

  @Override
  public JsonNode run(String callId, ObjectNode arguments) {
    return TextNode.valueOf("shown to the user");
  }
}
