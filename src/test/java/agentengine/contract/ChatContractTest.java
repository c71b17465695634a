package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The chat request body, the answer that is not streamed, sessions and the audit of their calls.
 */
@ParameterizedClass
@EnumSource
class ChatContractTest {
  private final World world;
  private final Http admin;

  ChatContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
  }

  @Test
  void message_is_required_and_not_blank() {
    admin.post("/schemas/help/chat", "{}").isError(400, "invalid_request");
    admin.post("/schemas/help/chat", "{'message':'  '}").isError(400, "invalid_request");
  }

  @Test
  void session_id_is_optional_and_passing_it_continues_the_conversation_with_full_history() {
    JsonNode first = admin.ask("help", "[[say One]]").json(200);
    String session = first.path("session_id").textValue();
    assertThat(session).isNotBlank();

    List<Events.Event> events =
        admin.chat("help", "[[say {{history}}: {{previous}}]]", session).all();

    assertThat(Events.data(events, "message").path("content").textValue())
        .contains("user, assistant, user")
        .contains("[[say One]]");
    assertThat(Events.data(events, "done").path("session_id").textValue()).isEqualTo(session);
  }

  @Test
  void a_session_id_that_does_not_exist_is_404_and_one_of_another_schema_400() {
    String body = "{'message':'x','session_id':'%s'}";
    admin.post("/schemas/help/chat", body.formatted("no-such")).isError(404, "not_found");
    String session = admin.ask("work", "[[say Hi]]").json(200).path("session_id").textValue();
    admin.post("/schemas/help/chat", body.formatted(session)).isError(400, "invalid_request");
  }

  @Test
  void streaming_is_on_by_default_and_stream_false_returns_a_single_json_body() {
    try (Events events = admin.chat("help", "[[say Hello there]]")) {
      assertThat(events.all()).isNotEmpty();
    }

    Reply reply = admin.ask("help", "[[say Hello there]] [[usage 30 4]]");
    JsonNode body = reply.json(200);
    Shapes.hasExactly(body, "response", "session_id", "tokens", "tool_calls");
    assertThat(body.path("response").textValue()).isEqualTo("Hello there");
    assertThat(body.path("tokens").intValue()).isEqualTo(34);
    assertThat(body.path("tool_calls")).isEmpty();
    assertThat(body.path("session_id").textValue()).isEqualTo(reply.header("X-Session-Id"));
  }

  @Test
  void tool_calls_of_a_single_body_have_tool_input_call_id_status_output_and_error() {
    JsonNode calls =
        admin
            .ask(
                "work",
                "[[tool weather {\"city\":\"Oslo\"}]] [[tool broken {}]] [[then]] [[say Well]]")
            .json(200)
            .path("tool_calls");

    assertThat(calls).hasSize(2);
    for (JsonNode call : calls) {
      Shapes.hasExactly(call, "tool", "input", "call_id", "status", "output", "error");
    }
    assertThat(calls.path(0).path("status").textValue()).isEqualTo("completed");
    assertThat(calls.path(0).path("output").path("sky").textValue()).isEqualTo("blue");
    assertThat(calls.path(0).path("error").isNull()).isTrue();
    assertThat(calls.path(1).path("status").textValue()).isEqualTo("failed");
    assertThat(calls.path(1).path("output").isNull()).isTrue();
    assertThat(calls.path(1).path("error").textValue()).contains("out of order");
  }

  @Test
  void at_a_gate_the_single_body_comes_back_at_once_and_the_session_holds_the_result_later() {
    JsonNode body = admin.ask("work", "[[tool guarded {}]] [[then]] [[say Later]]").json(200);

    String session = body.path("session_id").textValue();
    JsonNode call = body.path("tool_calls").path(0);
    assertThat(call.path("status").textValue()).isEqualTo("awaiting_confirmation");
    world.respond(session, call.path("call_id").textValue(), "approve").json(200);
    JsonNode messages = world.awaitSession(session, "idle").path("messages");
    assertThat(messages.path(messages.size() - 1).path("content").textValue()).isEqualTo("Later");
  }

  @Test
  void a_list_of_sessions_has_id_agent_created_at_and_message_count() {
    String session = admin.ask("help", "[[say Hi]]").json(200).path("session_id").textValue();

    JsonNode body = admin.get("/sessions?limit=1").json(200);
    Shapes.hasExactly(body, "sessions");
    assertThat(body.path("sessions")).hasSize(1);
    JsonNode newest = body.path("sessions").path(0);
    Shapes.hasExactly(newest, "id", "agent", "created_at", "message_count");
    Shapes.timestamps(newest, "created_at");
    assertThat(newest.path("id").textValue()).as("newest first").isEqualTo(session);
    assertThat(newest.path("agent").textValue()).isEqualTo("helper");
    assertThat(newest.path("message_count").intValue()).isEqualTo(2);
  }

  @Test
  void a_session_detail_returns_the_session_with_its_messages() {
    String session =
        admin
            .ask("work", "[[tool weather {\"city\":\"Oslo\"}]] [[then]] [[say Blue]]")
            .json(200)
            .path("session_id")
            .textValue();

    JsonNode detail = admin.get("/sessions/" + session).json(200);
    Shapes.hasAtLeast(
        detail,
        "id",
        "agent",
        "created_at",
        "message_count",
        "schema",
        "status",
        "pending",
        "messages",
        "children");
    assertThat(detail.path("schema").textValue()).isEqualTo("work");
    assertThat(detail.path("status").textValue()).isEqualTo("idle");
    assertThat(detail.path("message_count").intValue()).isEqualTo(4);
    assertThat(detail.path("messages").findValuesAsText("role"))
        .containsExactly("user", "assistant", "tool", "assistant");
    for (JsonNode message : detail.path("messages")) {
      Shapes.hasAtLeast(message, "id", "role", "content", "agent", "created_at");
    }
    JsonNode asked = detail.path("messages").path(1);
    JsonNode given = detail.path("messages").path(2);
    assertThat(given.path("call_id")).isEqualTo(asked.path("tool_calls").path(0).path("call_id"));
  }

  @Test
  void sub_agents_conversations_are_in_children_of_the_same_shape() {
    String session =
        admin
            .ask("work", "[[tool spawn_helper {\"task\":\"[[say Sub]]\"}]] [[then]] [[say Top]]")
            .json(200)
            .path("session_id")
            .textValue();

    JsonNode child = admin.get("/sessions/" + session).json(200).path("children").path(0);
    Shapes.hasAtLeast(child, "id", "agent", "created_at", "message_count", "messages", "children");
    assertThat(child.path("agent").textValue()).isEqualTo("helper");
    assertThat(child.path("messages").path(1).path("content").textValue()).isEqualTo("Sub");
  }

  @Test
  void a_tool_call_audit_record_has_the_fields_of_its_table() {
    Reply answer = admin.ask("work", "[[tool weather {\"city\":\"Oslo\"}]] [[then]] [[say Blue]]");
    String session = answer.json(200).path("session_id").textValue();

    JsonNode page = admin.get("/audit/tool-calls?session_id=" + session).json(200);
    Shapes.hasExactly(page, "data", "total", "page", "per_page", "total_pages");
    Shapes.integers(page, "total", "page", "per_page", "total_pages");
    JsonNode record = page.path("data").path(0);
    Shapes.hasAtLeast(
        record,
        "id",
        "session_id",
        "agent_name",
        "tool_name",
        "input",
        "output",
        "status",
        "duration_ms",
        "user_id",
        "created_at");
    Shapes.integers(record, "id", "duration_ms");
    Shapes.strings(record, "session_id", "user_id");
    Shapes.timestamps(record, "created_at");
    assertThat(record.path("agent_name").textValue()).isEqualTo("worker");
    assertThat(record.path("tool_name").textValue()).isEqualTo("weather");
    assertThat(record.path("status").textValue()).isEqualTo("completed");
    assertThat(Json.parse(record.path("input").textValue()))
        .as("a string holding JSON")
        .isEqualTo(Json.parse("{\"city\":\"Oslo\"}"));
    assertThat(Json.parse(record.path("output").textValue()).path("sky").asText())
        .isEqualTo("blue");
  }

  @Test
  void an_idempotency_key_gives_the_first_answer_again_and_never_a_second_turn() {
    Map<String, String> key = Map.of("Idempotency-Key", World.fresh());
    String path = "/schemas/help/chat";

    List<Events.Event> first = admin.stream("POST", path, Http.message("[[say A]]"), key).all();
    List<Events.Event> again = admin.stream("POST", path, Http.message("[[say A]]"), key).all();

    assertThat(Events.data(again, "done")).isEqualTo(Events.data(first, "done"));
    String session = Events.data(first, "done").path("session_id").textValue();
    assertThat(admin.get("/sessions/" + session).json(200).path("message_count").intValue())
        .isEqualTo(2);
    admin.call("POST", path, Http.message("[[say B]]"), key).isError(409, "conflict");
  }
}
