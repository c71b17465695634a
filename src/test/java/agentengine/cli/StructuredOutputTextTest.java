package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import org.junit.jupiter.api.Test;

class StructuredOutputTextTest {
  @Test
  void a_table_is_aligned_and_its_actions_say_what_to_send() {
    assertThat(
            lines(
                """
                {"output_type": "summary_table", "title": "Order 17", "description": "Is it right?",
                 "rows": [{"label": "To", "value": "Ann"}, {"label": "Total", "value": "12.50"}],
                 "actions": [{"label": "Buy", "type": "primary", "value": "buy it"}]}
                """))
        .isEqualTo(
            """
            Order 17
            Is it right?
              To     Ann
              Total  12.50
              [Buy] send: buy it\
            """);
  }

  @Test
  void a_form_is_a_list_of_questions() {
    assertThat(
            lines(
                """
                {"output_type": "form", "questions": [
                  {"id": "a", "label": "Your name?", "type": "text"},
                  {"id": "b", "label": "Size?", "type": "select", "default": "M",
                   "options": [{"label": "S"}, {"label": "M", "value": "M"}]},
                  {"id": "c", "label": "Extras?", "type": "multiselect",
                   "options": [{"label": "Bag", "value": "bag"}, {"label": "Box", "value": "box"}]}]}
                """))
        .isEqualTo(
            """
              1. Your name?
              2. Size? (one of: S, M), otherwise M
              3. Extras? (any of: Bag = bag, Box = box)
            Answer in your next message.\
            """);
  }

  @Test
  void nothing_in_it_steers_the_terminal() {
    assertThat(lines("{\"title\": \"a\\u001b[2Jb\", \"rows\": [{\"label\": 1, \"value\": null}]}"))
        .isEqualTo("a[2Jb\n  1");
  }

  private static String lines(String payload) {
    return String.join("\n", StructuredOutputText.lines(Json.parse(payload)));
  }
}
