package agentengine.tool;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class StructuredOutputTest {
  private final StructuredOutput tool = new StructuredOutput();

  @Test
  void its_parameters_are_a_schema_as_any_other_tool_has_one() {
    assertThat(ArgumentRules.schemaProblem(tool.definition().parameters())).isNull();
    assertThat(tool.name()).isEqualTo("show_structured_output");
    assertThat(tool.effect().mayRunAgain()).isTrue();
    assertThat(tool.run("c1", Json.object()).textValue()).isEqualTo("shown to the user");
  }

  @Test
  void a_table_an_information_and_a_form_can_be_shown() {
    for (String payload :
        List.of(
            "{'output_type': 'summary_table', 'rows': [{'label': 'a', 'value': ''}]}",
            "{'output_type': 'info', 'title': 'Done'}",
            "{'output_type': 'info', 'description': 'All is well.', 'rows': [{'label': 'a',"
                + " 'value': 'b'}]}",
            "{'output_type': 'info', 'title': 'Go on?', 'actions': [{'label': 'Yes', 'type':"
                + " 'primary', 'value': 'yes'}, {'label': 'No', 'type': 'secondary', 'value':"
                + " 'no'}]}",
            form("{'id': 'q', 'label': 'Name?', 'type': 'text', 'default': 'you'}"),
            form(choice("select", 2, "'default': 'V1'")),
            form(choice("select", 5, "'default': 'v0'")),
            form(choice("multiselect", 5, "'default': ['v0', 'V1']")),
            form(choice("multiselect", 2, "'default': 'v0'")),
            form(choice("multiselect", 2, "'default': []")))) {
      assertThat(tool.problem(json(payload))).as(payload).isNull();
    }
  }

  @Test
  void an_unknown_or_missing_type_is_refused() {
    assertRefused("{}", "output_type");
    assertRefused("{'output_type': 'table', 'title': 'x'}", "$.output_type");
    assertRefused("{'output_type': null, 'title': 'x'}", "$.output_type");
  }

  @Test
  void each_type_needs_its_parts_and_no_others() {
    assertRefused("{'output_type': 'summary_table', 'title': 'x'}", "needs rows");
    assertRefused("{'output_type': 'summary_table', 'rows': []}", "$.rows");
    assertRefused("{'output_type': 'info'}", "a title or a description");
    assertRefused("{'output_type': 'form', 'title': 'x'}", "needs questions");
    assertRefused("{'output_type': 'form', 'questions': []}", "$.questions");
    String question = "{'id': 'q', 'label': 'Name?', 'type': 'text'}";
    assertRefused(
        "{'output_type': 'info', 'title': 'x', 'questions': [" + question + "]}",
        "only a form may have questions");
  }

  @Test
  void unknown_keys_and_wrong_values_are_refused_wherever_they_stand() {
    assertRefused("{'output_type': 'info', 'title': 7}", "$.title");
    assertRefused("{'output_type': 'info', 'title': 'x', 'colour': 'blue'}", "colour");
    assertRefused("{'output_type': 'summary_table', 'rows': [{'label': 'a'}]}", "$.rows[0]");
    assertRefused(
        "{'output_type': 'summary_table', 'rows': [{'label': 'a', 'value': 'b', 'c': 1}]}", "'c'");
    assertRefused(
        "{'output_type': 'info', 'title': 'x', 'actions': [{'label': 'a', 'value': 'b', 'type':"
            + " 'danger'}]}",
        "$.actions[0].type");
    assertRefused(
        "{'output_type': 'info', 'title': 'x', 'actions': [{'label': 'a', 'type': 'primary'}]}",
        "'value'");
    assertRefused(form("{'id': 'q', 'label': 'Name?'}"), "'type'");
    assertRefused(form("{'id': 'q', 'label': 'Name?', 'type': 'date'}"), "$.questions[0].type");
    assertRefused("{'output_type': 'info', 'title': '" + "x".repeat(501) + "'}", "$.title");
  }

  @Test
  void a_choice_has_two_to_five_options_and_a_text_has_none() {
    assertRefused(form("{'id': 'q', 'label': 'Which?', 'type': 'select'}"), "2 to 5 options");
    assertRefused(form("{'id': 'q', 'label': 'Which?', 'type': 'multiselect'}"), "options");
    assertRefused(form(choice("select", 0, "'default': ''")), "$.questions[0].options");
    assertRefused(form(choice("select", 1, "'default': 'v0'")), "$.questions[0].options");
    assertRefused(form(choice("multiselect", 6, "'default': 'v0'")), "$.questions[0].options");
    assertRefused(form(choice("text", 2, "'default': 'v0'")), "must not have options");
  }

  @Test
  void a_default_is_one_of_the_options() {
    assertRefused(form(choice("select", 2, "'default': 'v7'")), "none of its options");
    assertRefused(form(choice("select", 2, "'default': ['v0']")), "a text as its default");
    assertRefused(form(choice("multiselect", 2, "'default': ['v0', 'v7']")), "none of its options");
    assertRefused(form("{'id': 'q', 'label': 'a', 'type': 'text', 'default': ['x']}"), "a text");
    assertRefused(form("{'id': 'q', 'label': 'a', 'type': 'text', 'default': 5}"), "default");
  }

  @Test
  void an_id_is_there_once_and_there_are_at_most_twenty_questions() {
    String question = "{'id': 'q%d', 'label': 'a', 'type': 'text'}";
    String same = question.formatted(1) + "," + question.formatted(1);
    assertRefused(form(same), "two questions have the id 'q1'");

    StringBuilder many = new StringBuilder(question.formatted(1));
    for (int i = 2; i <= 20; i++) {
      many.append(',').append(String.format(Locale.ROOT, question, i));
    }
    assertThat(tool.problem(json(form(many.toString())))).isNull();
    assertRefused(form(many + "," + question.formatted(21)), "$.questions");
  }

  private void assertRefused(String payload, String reason) {
    assertThat(tool.problem(json(payload))).as(payload).isNotNull().contains(reason);
  }

  private static String form(String questions) {
    return "{'output_type': 'form', 'questions': [" + questions + "]}";
  }

  /** A question whose first option has a value of its own, and the others only labels. */
  private static String choice(String type, int options, String preset) {
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < options; i++) {
      list.append(i == 0 ? "" : ",");
      list.append(i == 0 ? "{'label': 'L0', 'value': 'v0'}" : "{'label': 'V" + i + "'}");
    }
    return "{'id': 'q', 'label': 'Which?', 'type': '%s', 'options': [%s], %s}"
        .formatted(type, list, preset);
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"'));
  }
}
