package agentengine.simulator;

import static agentengine.simulator.ChatClient.streamed;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ToolCallTest {
  private static final String OSLO = "{\"city\":\"Oslo\"}";

  private static Simulator simulator;
  private static ChatClient client;

  @BeforeAll
  static void start() {
    simulator = Simulator.start(0);
    client = new ChatClient(simulator);
  }

  @AfterAll
  static void stop() {
    client.close();
    simulator.close();
  }

  @Test
  void a_call_comes_with_id_and_name_first_and_then_its_arguments_in_fragments() {
    ChatClient.Reply reply = client.ask("[[tool weather " + OSLO + "]]");

    List<JsonNode> pieces = calls(reply);
    assertThat(pieces).hasSize(4);
    assertThat(pieces.getFirst().path("id").asText()).startsWith("call_");
    assertThat(pieces.getFirst().path("type").asText()).isEqualTo("function");
    assertThat(pieces.getFirst().at("/function/name").asText()).isEqualTo("weather");
    assertThat(pieces.get(1).has("id")).isFalse();
    assertThat(pieces.get(1).at("/function").has("name")).isFalse();
    assertThat(arguments(pieces)).isEqualTo(OSLO);
    assertThat(reply.finishReasons()).isEqualTo("tool_calls");
  }

  @Test
  void several_calls_in_a_step_have_their_own_index_and_id() {
    List<JsonNode> pieces =
        calls(client.ask("[[tool pieces=1 a {\"n\":1}]] [[tool pieces=1 b {\"n\":2}]]"));

    assertThat(pieces).extracting(piece -> piece.path("index").asInt()).containsExactly(0, 1);
    assertThat(pieces).extracting(piece -> piece.path("id").asText()).doesNotHaveDuplicates();
    assertThat(arguments(pieces)).isEqualTo("{\"n\":1}{\"n\":2}");
  }

  @Test
  void arguments_may_be_left_out() {
    assertThat(arguments(calls(client.ask("[[tool current_time]]")))).isEqualTo("{}");
  }

  @Test
  void index_and_id_can_be_wrong_or_missing() {
    JsonNode wrong = calls(client.ask("[[tool index=7 id=x pieces=1 a {}]]")).getFirst();
    JsonNode missing = calls(client.ask("[[tool index=none id=none pieces=1 a {}]]")).getFirst();

    assertThat(wrong.path("index").asInt()).isEqualTo(7);
    assertThat(wrong.path("id").asText()).isEqualTo("x");
    assertThat(missing.has("index")).isFalse();
    assertThat(missing.has("id")).isFalse();
  }

  @Test
  void arguments_can_be_malformed_on_request() {
    assertThat(arguments(calls(client.ask("[[tool check=off a {\"broken]]"))))
        .isEqualTo("{\"broken");
    assertThat(arguments(calls(client.ask("[[tool check=off a]]")))).isEmpty();
  }

  @Test
  void a_whole_answer_has_whole_calls() {
    JsonNode message =
        client.askWhole("[[tool weather " + OSLO + "]]").json().at("/choices/0/message");

    assertThat(message.path("content").isNull()).isTrue();
    assertThat(message.at("/tool_calls/0/function/name").asText()).isEqualTo("weather");
    assertThat(message.at("/tool_calls/0/function/arguments").asText()).isEqualTo(OSLO);
  }

  @Test
  void each_model_call_of_a_turn_plays_the_next_step_with_the_results() {
    String script =
        "[[tool a]] [[tool b]] [[then]] [[tool c {\"seen\":\"{{result}}\"}]] "
            + "[[then]] [[say {{results}}]]";
    ObjectNode second =
        streamed("user", script, "assistant", "", "tool", "one", "tool", "two \"quoted\"");
    ObjectNode third = second.deepCopy();
    third.withArray("messages").addObject().put("role", "assistant");
    third.withArray("messages").addObject().put("role", "tool").put("content", "three");

    assertThat(names(client.ask(script))).containsExactly("a", "b");
    assertThat(arguments(calls(client.send(second))))
        .isEqualTo("{\"seen\":\"two \\\"quoted\\\"\"}");
    assertThat(client.send(third).text()).isEqualTo("one\ntwo \"quoted\"\nthree");
  }

  @Test
  void after_the_last_step_it_says_what_came_of_it() {
    assertThat(client.send(afterTool("[[tool a]]")).text()).isEqualTo("Done. The result was: 42");
  }

  @Test
  void a_loop_calls_for_ever() {
    assertThat(names(client.send(afterTool("[[tool a]] [[loop]]")))).containsExactly("a");
  }

  @Test
  void a_script_for_a_sub_agent_travels_untouched_in_the_arguments() {
    String task = "[[tool x {\\\"n\\\":1}]] [[then]] [[say {{result}}]]";

    String sent = arguments(calls(client.ask("[[tool spawn_helper {\"task\":\"" + task + "\"}]]")));

    assertThat(ChatClient.parse(sent).path("task").asText())
        .isEqualTo("[[tool x {\"n\":1}]] [[then]] [[say {{result}}]]");
  }

  @Test
  void without_a_cue_a_tool_named_in_the_message_is_called_with_arguments_that_fit() {
    String parameters =
        """
        {"type":"object","required":["query","limit","deep","kind","tags","where"],
         "properties":{"query":{"type":"string"},"limit":{"type":"integer"},
           "deep":{"type":"boolean"},"kind":{"enum":["text","image"]},"tags":{"type":"array"},
           "where":{"type":"object"},"unused":{"type":"string"}}}
        """;
    ObjectNode body = withTool("Try knowledge_search, please", "knowledge_search", parameters);

    ChatClient.Reply reply = client.send(body);

    assertThat(names(reply)).containsExactly("knowledge_search");
    assertThat(arguments(calls(reply)))
        .isEqualTo(
            "{\"query\":\"Try knowledge_search, please\",\"limit\":1,\"deep\":true,"
                + "\"kind\":\"text\",\"tags\":[],\"where\":{}}");
  }

  @Test
  void without_a_cue_a_tool_that_is_only_part_of_a_word_is_not_called() {
    assertThat(names(client.send(withTool("Sometimes", "time", "{}")))).isEmpty();
  }

  @Test
  void without_a_cue_a_demanded_tool_is_called() {
    ObjectNode required = withTool("Hello", "ping", "{}").put("tool_choice", "required");
    ObjectNode named = withTool("Hello", "ping", "{}");
    named.putObject("tool_choice").putObject("function").put("name", "ping");

    assertThat(names(client.send(required))).containsExactly("ping");
    assertThat(names(client.send(named))).containsExactly("ping");
  }

  private static ObjectNode afterTool(String script) {
    return streamed("user", script, "assistant", "", "tool", "42");
  }

  private static ObjectNode withTool(String message, String name, String parameters) {
    ObjectNode body = streamed("user", message);
    body.putArray("tools")
        .addObject()
        .put("type", "function")
        .putObject("function")
        .put("name", name)
        .set("parameters", ChatClient.parse(parameters));
    return body;
  }

  private static List<JsonNode> calls(ChatClient.Reply reply) {
    return reply.deltas().stream()
        .flatMap(delta -> delta.path("tool_calls").valueStream())
        .toList();
  }

  private static List<String> names(ChatClient.Reply reply) {
    return calls(reply).stream()
        .filter(call -> call.path("function").has("name"))
        .map(call -> call.at("/function/name").asText())
        .toList();
  }

  private static String arguments(List<JsonNode> pieces) {
    return pieces.stream()
        .map(piece -> piece.at("/function/arguments").asText())
        .collect(Collectors.joining());
  }
}
