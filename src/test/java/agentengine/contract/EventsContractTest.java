package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The chat stream: its events with their fields, and its rules. */
@ParameterizedClass
@EnumSource
class EventsContractTest {
  private static final String WEATHER = "[[tool weather {\"city\":\"Oslo\"}]]";

  private final World world;
  private final Http admin;

  EventsContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
  }

  private List<Events.Event> work(String script) {
    return admin.chat("work", script).all();
  }

  private static String joined(List<Events.Event> events, String name) {
    return events.stream()
        .filter(event -> event.name().equals(name))
        .map(event -> event.data().path("content").textValue())
        .collect(Collectors.joining());
  }

  @Test
  void each_event_is_written_as_an_event_line_a_data_line_with_JSON_and_an_id_line() {
    List<Events.Event> events = work(WEATHER + " [[then]] [[think Hm]] [[say Blue it is]]");

    Set<String> ids = new HashSet<>();
    for (Events.Event event : events) {
      assertThat(event.lines()).hasSize(3);
      assertThat(event.lines().get(0)).startsWith("event:");
      assertThat(event.lines().get(1)).startsWith("data:");
      assertThat(event.lines().get(2)).startsWith("id:");
      assertThat(event.data().isObject()).isTrue();
      assertThat(event.id()).matches("[^.\\s]+\\.\\d+\\.\\d+");
      assertThat(ids.add(event.id())).as("an id of its own").isTrue();
    }
  }

  @Test
  void thinking_has_content() {
    List<Events.Event> events = work("[[think Let me see]] [[say Yes]]");

    assertThat(joined(events, "thinking")).isEqualTo("Let me see");
    events.stream()
        .filter(event -> event.name().equals("thinking"))
        .forEach(event -> Shapes.hasExactly(event.data(), "content"));
  }

  @Test
  void message_delta_has_content_and_concatenating_all_deltas_gives_the_full_reply() {
    List<Events.Event> events = work("[[say A reply of several words]]");

    assertThat(events.stream().filter(event -> event.name().equals("message_delta")).count())
        .isGreaterThan(1);
    assertThat(joined(events, "message_delta")).isEqualTo("A reply of several words");
    Shapes.hasExactly(events.getFirst().data(), "content");
  }

  @Test
  void message_has_content_and_role_and_is_sent_after_all_deltas() {
    List<Events.Event> events = work("[[say The whole]]");

    JsonNode message = Events.data(events, "message");
    Shapes.hasExactly(message, "content", "role");
    assertThat(message.path("content").textValue()).isEqualTo("The whole");
    assertThat(message.path("role").textValue()).isEqualTo("assistant");
    assertThat(Events.names(events).lastIndexOf("message_delta"))
        .isLessThan(Events.names(events).indexOf("message"));
  }

  @Test
  void tool_call_has_tool_and_input_which_holds_the_parameters() {
    JsonNode call = Events.data(work(WEATHER + " [[then]] [[say Ok]]"), "tool_call");

    Shapes.hasExactly(call, "tool", "input");
    assertThat(call.path("tool").textValue()).isEqualTo("weather");
    assertThat(call.path("input").path("city").textValue()).isEqualTo("Oslo");
  }

  @Test
  void tool_result_has_tool_output_and_error_of_which_one_is_null() {
    JsonNode good = Events.data(work(WEATHER + " [[then]] [[say Ok]]"), "tool_result");
    Shapes.hasExactly(good, "tool", "output", "error");
    assertThat(good.path("output").path("sky").textValue()).isEqualTo("blue");
    assertThat(good.get("error").isNull()).isTrue();

    JsonNode bad = Events.data(work("[[tool broken {}]] [[then]] [[say Ok]]"), "tool_result");
    Shapes.hasExactly(bad, "tool", "output", "error");
    assertThat(bad.get("output").isNull()).isTrue();
    assertThat(bad.path("error").textValue()).contains("out of order");
  }

  @Test
  void tool_results_come_in_the_order_of_their_calls_and_text_before_the_calls() {
    List<Events.Event> events =
        work("[[say Look]] " + WEATHER + " [[tool broken {}]] [[then]] [[say Seen]]");

    assertThat(Events.names(events).stream().filter(name -> !name.equals("message_delta")))
        .containsExactly(
            "message", "tool_call", "tool_call", "tool_result", "tool_result", "message", "done");
    assertThat(
            events.stream()
                .filter(event -> event.name().equals("tool_result"))
                .map(event -> event.data().path("tool").textValue()))
        .containsExactly("weather", "broken");
  }

  @Test
  void structured_output_stands_alone_without_its_absent_parts_and_the_turn_ends_right_after() {
    List<Events.Event> events =
        work(
            "[[tool show_structured_output {\"output_type\":\"summary_table\",\"title\":\"T\","
                + "\"rows\":[{\"label\":\"a\",\"value\":\"1\"}],\"actions\":[{\"label\":\"Go\","
                + "\"type\":\"primary\",\"value\":\"go\"}]}]] [[then]] [[say Never said]]");

    assertThat(Events.names(events)).containsExactly("structured_output", "done");
    JsonNode output = events.getFirst().data();
    Shapes.hasExactly(output, "output_type", "title", "rows", "actions");
    assertThat(output.path("rows").path(0).path("label").textValue()).isEqualTo("a");
    assertThat(output.path("actions").path(0).path("value").textValue()).isEqualTo("go");
  }

  @Test
  void confirmation_has_tool_input_and_call_id_and_comes_before_tool_call() {
    try (Events events = admin.chat("work", "[[tool guarded {}]] [[then]] [[say Ok]]")) {
      JsonNode asked = events.await("confirmation").data();
      Shapes.hasExactly(asked, "tool", "input", "call_id");
      assertThat(asked.path("tool").textValue()).isEqualTo("guarded");

      world.respond(events.sessionId(), asked.path("call_id").textValue(), "approve").json(200);
      assertThat(Events.names(events.all())).startsWith("tool_call", "tool_result");
    }
  }

  @Test
  void a_rejection_starts_with_reject_and_gives_a_tool_result_without_a_tool_call() {
    long before = world.callsOf("guarded");
    try (Events events = admin.chat("work", "[[tool guarded {}]] [[then]] [[say {{result}}]]")) {
      String call = events.await("confirmation").data().path("call_id").textValue();
      world.respond(events.sessionId(), call, "reject: not today").json(200);

      List<Events.Event> rest = events.all();
      assertThat(Events.names(rest)).doesNotContain("tool_call").endsWith("message", "done");
      assertThat(Events.data(rest, "tool_result").path("error").textValue()).contains("not today");
      assertThat(world.callsOf("guarded")).isEqualTo(before);
    }
  }

  @Test
  void arguments_that_do_not_fit_the_schema_give_a_tool_result_without_a_tool_call() {
    List<Events.Event> events = work("[[tool weather {\"town\":1}]] [[then]] [[say Ok]]");

    assertThat(Events.names(events)).doesNotContain("tool_call").endsWith("message", "done");
    assertThat(Events.data(events, "tool_result").path("error").textValue()).contains("city");
  }

  @Test
  void error_has_message_and_code_such_as_model_error_and_the_stream_terminates_after_it() {
    List<Events.Event> events = work("[[say Half]] [[stream-error Overloaded]]");

    assertThat(events.getLast().name()).isEqualTo("error");
    Shapes.hasExactly(events.getLast().data(), "message", "code");
    assertThat(events.getLast().data().path("code").textValue()).isEqualTo("model_error");
    assertThat(Events.names(events)).doesNotContain("done");
  }

  @Test
  void done_has_session_id_and_tokens_with_the_total_token_count() {
    List<Events.Event> events =
        work(WEATHER + " [[usage 10 1]] [[then]] [[say Ok]] [[usage 20 2]]");

    JsonNode done = events.getLast().data();
    assertThat(events.getLast().name()).isEqualTo("done");
    Shapes.hasExactly(done, "session_id", "tokens");
    assertThat(done.path("tokens").intValue()).isEqualTo(33);
  }

  @Test
  void rule_1_a_new_session_is_created_when_session_id_is_omitted_and_done_returns_its_id() {
    Events stream = admin.chat("help", "[[say Hi]]");
    JsonNode done = Events.data(stream.all(), "done");

    assertThat(done.path("session_id").textValue()).isEqualTo(stream.sessionId());
    admin.get("/sessions/" + stream.sessionId()).json(200);
  }

  @Test
  void rule_3_a_spawn_tool_gives_its_result_through_tool_result_after_the_sub_agent_finishes() {
    List<Events.Event> events =
        work(
            "[[tool spawn_helper {\"task\":\"[[say From below]] [[usage 5 5]]\"}]]"
                + " [[usage 1 1]] [[then]] [[say Done]] [[usage 1 1]]");

    assertThat(Events.data(events, "tool_call").path("tool").textValue()).isEqualTo("spawn_helper");
    assertThat(Events.data(events, "tool_result").toString()).contains("From below");
    assertThat(joined(events, "message_delta")).as("only the root's text").isEqualTo("Done");
    assertThat(Events.data(events, "done").path("tokens").intValue())
        .as("sub-agents included")
        .isEqualTo(14);
  }

  @Test
  void a_client_that_goes_away_does_not_stop_the_turn() {
    String session;
    try (Events events = admin.chat("help", "[[say Start]] [[delay 100ms]] [[say , end]]")) {
      session = events.sessionId();
    }

    JsonNode messages = world.awaitSession(session, "idle").path("messages");
    assertThat(messages.path(1).path("content").textValue()).isEqualTo("Start, end");
  }

  @Test
  void a_message_to_a_session_whose_turn_runs_is_409_session_busy() {
    try (Events events = admin.chat("help", "[[say Wait]] [[stall]]")) {
      events.await("message_delta");
      String body = "{'message':'x','session_id':'%s'}".formatted(events.sessionId());
      admin.post("/schemas/help/chat", body).isError(409, "session_busy");
      admin.post("/sessions/" + events.sessionId() + "/cancel").json(200);
    }
  }
}
