package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits, but for the rate of requests, and what a structured output may hold. */
@ParameterizedClass
@EnumSource
class LimitsContractTest {
  private final Http admin;

  LimitsContractTest(TestDatabases.Kind kind) {
    admin = World.on(kind).admin();
  }

  @Test
  void audit_query_per_page_has_the_default_50_and_the_maximum_100() {
    assertThat(audit("").path("per_page").intValue()).isEqualTo(50);
    assertThat(audit("?per_page=7").path("per_page").intValue()).isEqualTo(7);
    assertThat(audit("?per_page=100").path("per_page").intValue()).isEqualTo(100);
    assertThat(audit("?per_page=101").path("per_page").intValue())
        .as("above the maximum means the maximum, and the answer says so")
        .isEqualTo(100);
  }

  @Test
  void audit_query_page_has_the_default_1() {
    assertThat(audit("").path("page").intValue()).isEqualTo(1);
    assertThat(audit("?page=100000").path("data")).isEmpty();
  }

  private JsonNode audit(String query) {
    return admin.get("/audit/tool-calls" + query).json(200);
  }

  @Test
  void a_limit_of_sessions_above_its_maximum_means_the_maximum() {
    assertThat(admin.get("/sessions?limit=100000").json(200).path("sessions"))
        .hasSizeLessThanOrEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 5})
  void form_question_options_are_2_to_5_per_question(int options) {
    List<Events.Event> events = show(form("select", options, _ -> {}));

    assertThat(Events.names(events)).containsExactly("structured_output", "done");
    JsonNode shown = events.getFirst().data();
    assertThat(shown.path("output_type").textValue()).isEqualTo("form");
    assertThat(shown.path("questions").path(0).path("options")).hasSize(options);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6})
  void other_numbers_of_options_go_back_to_the_model_as_an_error(int options) {
    for (String type : List.of("select", "multiselect")) {
      List<Events.Event> events = show(form(type, options, _ -> {}));
      assertThat(Events.names(events)).doesNotContain("structured_output");
      assertThat(Events.data(events, "tool_result").path("error").textValue()).contains("options");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"id", "label", "type"})
  void a_question_needs_id_label_and_type(String field) {
    assertThat(Events.names(show(form("select", 2, question -> question.remove(field)))))
        .doesNotContain("structured_output")
        .contains("tool_result");
  }

  @Test
  void a_question_may_have_a_default_and_one_of_text_needs_no_options() {
    ObjectNode form =
        form(
            "text",
            0,
            question -> {
              question.remove("options");
              question.put("default", "blue");
            });

    JsonNode question = Events.data(show(form), "structured_output").path("questions").path(0);
    assertThat(question.path("default").textValue()).isEqualTo("blue");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"output_type\":\"chart\"}",
        "{\"title\":\"No type\"}",
        "{\"output_type\":\"info\",\"actions\":[{\"label\":\"a\",\"type\":\"third\",\"value\":\"b\"}]}",
        "{\"output_type\":\"summary_table\",\"rows\":[{\"label\":\"a\"}]}"
      })
  void a_structured_output_that_does_not_fit_its_table_goes_back_to_the_model(String payload) {
    assertThat(Events.names(show((ObjectNode) Json.parse(payload))))
        .doesNotContain("structured_output")
        .contains("tool_result");
  }

  @Test
  void an_info_block_has_title_and_description() {
    ObjectNode info = Json.object().put("output_type", "info").put("title", "Note");
    JsonNode shown =
        Events.data(show(info.put("description", "All is well.")), "structured_output");
    Shapes.hasExactly(shown, "output_type", "title", "description");
  }

  @Test
  void a_structured_output_is_in_a_single_body_as_the_call_of_its_tool() {
    JsonNode body =
        admin
            .ask("work", script(Json.object().put("output_type", "info").put("title", "Note")))
            .json(200);
    JsonNode call = body.path("tool_calls").path(0);
    assertThat(call.path("tool").textValue()).isEqualTo("show_structured_output");
    assertThat(call.path("status").textValue()).isEqualTo("completed");
  }

  private static ObjectNode form(String type, int options, Consumer<ObjectNode> change) {
    ObjectNode form = Json.object().put("output_type", "form").put("title", "Choose");
    ObjectNode question = form.putArray("questions").addObject();
    question.put("id", "colour").put("label", "Which colour?").put("type", type);
    ArrayNode list = question.putArray("options");
    for (int i = 1; i <= options; i++) {
      list.addObject().put("label", "Colour " + i);
    }
    change.accept(question);
    return form;
  }

  private List<Events.Event> show(ObjectNode payload) {
    return admin.chat("work", script(payload)).all();
  }

  private static String script(ObjectNode payload) {
    // A space keeps the brackets of JSON from ending the cue.
    String json = Json.write(payload).replace("]", "] ");
    return "[[tool show_structured_output " + json + "]] [[then]] [[say Oh]]";
  }
}
