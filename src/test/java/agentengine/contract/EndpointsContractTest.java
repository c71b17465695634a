package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The table of endpoints, row by row, each with its request and its response. */
@ParameterizedClass
@EnumSource
class EndpointsContractTest {
  private final World world;
  private final Http admin;
  private final String name = World.fresh();

  EndpointsContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
  }

  @Test
  void POST_auth_local_session_gives_a_token_response() {
    JsonNode token = world.anonymous().post("/auth/local-session").json(200);

    Shapes.hasExactly(token, "access_token", "expires_at");
    assertThat(token.path("access_token").textValue())
        .as("a JWT")
        .matches("[\\w-]+(\\.[\\w-]+){2}");
    Shapes.timestamps(token, "expires_at");
  }

  @Test
  void POST_schemas_name_chat_gives_an_SSE_stream_or_JSON_when_stream_is_false() {
    try (Events events = admin.chat("help", "[[say Hi]]")) {
      assertThat(events.header("Cache-Control")).contains("no-cache");
      assertThat(events.sessionId()).isNotBlank();
      assertThat(Events.names(events.all())).endsWith("message", "done");
    }
    assertThat(admin.ask("help", "[[say Hi]]").json(200).path("response").textValue())
        .isEqualTo("Hi");
  }

  @Test
  void GET_schemas_gives_a_list_of_schemas() {
    JsonNode schemas = admin.get("/schemas").json(200);
    assertThat(schemas.isArray()).isTrue();
    assertThat(schemas.findValuesAsText("name")).contains("help", "work", "closed");
    assertThat(admin.get("/schemas/help").json(200).path("entry_agent").textValue())
        .isEqualTo("helper");
  }

  @Test
  void POST_PUT_and_DELETE_of_schemas_make_change_and_remove_one() {
    Reply made = admin.post("/schemas", "{'name':'%s','entry_agent':'helper'}".formatted(name));
    made.json(201);
    assertThat(made.header("Location")).isEqualTo("/api/v1/schemas/" + name);
    JsonNode on = admin.put("/schemas/" + name, "{'chat_enabled':true}").json(200);
    assertThat(on.path("chat_enabled").booleanValue()).isTrue();
    admin.delete("/schemas/" + name).empty();
    admin.get("/schemas/" + name).isError(404, "not_found");
  }

  @Test
  void GET_agents_gives_an_array_of_agent_list_items() {
    assertThat(admin.get("/agents").json(200).isArray()).isTrue();
    assertThat(admin.get("/agents").json(200).findValuesAsText("name")).contains("helper");
  }

  @Test
  void GET_agents_name_gives_the_agent_detail() {
    assertThat(admin.get("/agents/worker").json(200).path("can_spawn").path(0).textValue())
        .isEqualTo("helper");
    admin.get("/agents/" + name).isError(404, "not_found");
  }

  @Test
  void POST_agents_gives_the_created_agent() {
    Reply made = admin.post("/agents", "{'name':'%s','model':'sim'}".formatted(name));
    assertThat(made.json(201).path("name").textValue()).isEqualTo(name);
    assertThat(made.header("Location")).isEqualTo("/api/v1/agents/" + name);
    assertThat(admin.get("/agents/" + name).json(200)).isEqualTo(made.json(201));
  }

  @Test
  void PUT_agents_name_gives_the_updated_agent_and_DELETE_204_with_empty_body() {
    admin.post("/agents", "{'name':'%s','model':'sim'}".formatted(name)).json(201);
    assertThat(admin.put("/agents/" + name, "{'max_steps':3}").json(200).path("max_steps").asInt())
        .isEqualTo(3);
    admin.delete("/agents/" + name).empty();
    admin.delete("/agents/" + name).isError(404, "not_found");
    admin.put("/agents/" + name, "{'max_steps':3}").isError(404, "not_found");
  }

  @Test
  void GET_models_gives_an_array_of_models() {
    assertThat(admin.get("/models").json(200).isArray()).isTrue();
    assertThat(admin.get("/models").json(200).findValuesAsText("name")).contains("sim");
    assertThat(admin.get("/models/sim").json(200).path("name").textValue()).isEqualTo("sim");
  }

  @Test
  void POST_models_gives_the_created_model_PUT_the_updated_one_and_DELETE_204_by_name() {
    Reply made =
        admin.post("/models", "{'name':'%s','type':'ollama','model_name':'small'}".formatted(name));
    made.json(201);
    assertThat(made.header("Location")).isEqualTo("/api/v1/models/" + name);
    JsonNode updated = admin.put("/models/" + name, "{'model_name':'large'}").json(200);
    assertThat(updated.path("model_name").textValue()).isEqualTo("large");
    assertThat(updated.path("id")).isEqualTo(made.json(201).path("id"));
    admin.delete("/models/" + name).empty();
    admin.get("/models/" + name).isError(404, "not_found");
  }

  @Test
  void POST_sessions_session_id_respond_gives_an_acknowledgement_once() {
    try (Events events = admin.chat("work", "[[tool guarded {}]] [[then]] [[say Ok]]")) {
      String call = events.await("confirmation").data().path("call_id").textValue();
      String session = events.sessionId();
      world.respond(session, "no-such-call", "approve").isError(404, "not_found");
      world.respond("no-such-session", call, "approve").isError(404, "not_found");
      world.respond(session, call, "yes").isError(400, "invalid_request");

      JsonNode acknowledged = world.respond(session, call, "approve").json(200);
      assertThat(acknowledged.path("call_id").textValue()).isEqualTo(call);
      world.respond(session, call, "approve").isError(409, "conflict");
      events.await("done");
    }
  }

  @Test
  void GET_sessions_takes_agent_and_limit_both_optional() {
    admin.ask("help", "[[say Hi]]").json(200);
    admin.ask("work", "[[say Hi]]").json(200);

    assertThat(admin.get("/sessions").json(200).path("sessions")).hasSizeGreaterThan(1);
    assertThat(admin.get("/sessions?limit=1").json(200).path("sessions")).hasSize(1);
    JsonNode ofWorker = admin.get("/sessions?agent=worker").json(200).path("sessions");
    assertThat(ofWorker.findValuesAsText("agent")).isNotEmpty().containsOnly("worker");
    admin.get("/sessions?limit=0").isError(400, "invalid_request");
    admin.get("/sessions?limit=many").isError(400, "invalid_request");
  }

  @Test
  void GET_sessions_id_gives_the_session_with_messages_and_DELETE_removes_it() {
    String session = admin.ask("help", "[[say Hi]]").json(200).path("session_id").textValue();
    assertThat(admin.get("/sessions/" + session).json(200).path("messages")).hasSize(2);
    admin.delete("/sessions/" + session).empty();
    admin.get("/sessions/" + session).isError(404, "not_found");
  }

  @Test
  void GET_sessions_id_stream_replays_the_last_turn_from_the_event_after_Last_Event_ID() {
    List<Events.Event> events = admin.chat("help", "[[say Hi]]").all();
    String session = Events.data(events, "done").path("session_id").textValue();
    String path = "/sessions/" + session + "/stream";

    List<Events.Event> whole = admin.stream("GET", path, BodyPublishers.noBody(), Map.of()).all();
    assertThat(Events.names(whole)).endsWith("message", "done");
    assertThat(whole.getLast().id()).isEqualTo(events.getLast().id());
    String afterMessage = whole.get(whole.size() - 2).id();
    assertThat(
            Events.names(
                admin.stream(
                        "GET", path, BodyPublishers.noBody(), Map.of("Last-Event-ID", afterMessage))
                    .all()))
        .containsExactly("done");
  }

  @Test
  void POST_sessions_id_cancel_ends_the_stream_with_an_error_of_code_cancelled() {
    try (Events events = admin.chat("help", "[[say Wait]] [[stall]]")) {
      events.await("message_delta");
      admin.delete("/sessions/" + events.sessionId()).isError(409, "session_busy");
      Reply reply = admin.post("/sessions/" + events.sessionId() + "/cancel");
      assertThat(reply.json(200).path("status").textValue()).isEqualTo("cancelled");
      assertThat(events.await("error").data().path("code").textValue()).isEqualTo("cancelled");
      admin.post("/sessions/" + events.sessionId() + "/cancel").isError(409, "conflict");
    }
  }

  @Test
  void POST_tasks_gives_the_task_summary_and_GET_tasks_id_its_details() {
    JsonNode made = admin.post("/tasks", "{'agent':'helper','title':'[[say Hi]]'}").json(201);
    Shapes.hasAtLeast(made, "id", "agent", "title", "status", "created_at");
    String id = made.path("id").textValue();
    assertThat(admin.get("/tasks/" + id).json(200).path("title").textValue())
        .isEqualTo("[[say Hi]]");
    admin.get("/tasks/no-such-task").isError(404, "not_found");
    admin.post("/tasks", "{'agent':'nobody','title':'x'}").isError(400, "invalid_request");
    admin.post("/tasks", "{'agent':'helper'}").isError(400, "invalid_request");
  }

  @Test
  void GET_tasks_takes_status_and_agent_both_optional() {
    admin.post("/agents", "{'name':'%s','model':'sim'}".formatted(name)).json(201);
    String id = world.task(name, "[[say Hi]]");
    world.awaitTask(id, "completed");

    assertThat(admin.get("/tasks").json(200).isArray()).isTrue();
    JsonNode found = admin.get("/tasks?status=completed&agent=" + name).json(200);
    assertThat(found.findValuesAsText("id")).containsExactly(id);
    assertThat(admin.get("/tasks?status=failed&agent=" + name).json(200)).isEmpty();
    admin.get("/tasks?status=finished").isError(400, "invalid_request");
  }

  @Test
  void DELETE_tasks_id_cancels_the_task_and_gives_it_back() {
    String id = world.task("helper", "[[say On]] [[stall]]");
    JsonNode task = admin.delete("/tasks/" + id).json(200);
    assertThat(task.path("id").textValue()).isEqualTo(id);
    assertThat(task.path("status").textValue()).isEqualTo("cancelled");
  }

  @Test
  void GET_health_is_public_and_gives_the_health_record() {
    JsonNode health = world.anonymous().get("/health").json(200);
    Shapes.hasExactly(health, "status", "version", "agents_count", "uptime");
    assertThat(health.path("status").textValue()).isEqualTo("ok");
    Shapes.strings(health, "version");
    assertThat(health.path("agents_count").intValue()).isGreaterThanOrEqualTo(3);
    Shapes.durations(health, "uptime");
  }

  @Test
  void GET_audit_tool_calls_filters_by_each_of_its_parameters() {
    String session =
        admin
            .ask(
                "work",
                "[[tool weather {\"city\":\"Oslo\"}]] [[tool broken {}]] [[then]] [[say Well]]")
            .json(200)
            .path("session_id")
            .textValue();
    String path = "/audit/tool-calls?session_id=" + session;

    assertThat(total(path)).isEqualTo(2);
    assertThat(total(path + "&tool=weather")).isEqualTo(1);
    assertThat(total(path + "&status=failed")).isEqualTo(1);
    assertThat(total(path + "&status=completed&tool=broken")).isZero();
    assertThat(total(path + "&agent=worker")).isEqualTo(2);
    assertThat(total(path + "&agent=helper")).isZero();
    assertThat(total(path + "&user_id=local-admin")).isEqualTo(2);
    assertThat(total(path + "&user_id=nobody")).isZero();
    assertThat(total(path + "&from=2020-01-01&to=2999-12-31")).isEqualTo(2);
    assertThat(total(path + "&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z")).isZero();
  }

  private int total(String path) {
    return admin.get(path).json(200).path("total").intValue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"status=done", "from=yesterday", "page=0", "per_page=-1"})
  void GET_audit_tool_calls_refuses_what_is_no_value_of_its_parameters(String query) {
    admin.get("/audit/tool-calls?" + query).isError(400, "invalid_request");
  }

  @Test
  void GET_metrics_is_public_and_Prometheus_compatible_text() {
    Reply metrics = world.anonymous().call("GET", "//metrics", BodyPublishers.noBody(), Map.of());
    assertThat(metrics.status()).isEqualTo(200);
    assertThat(metrics.header("Content-Type")).startsWith("text/plain");
    assertThat(metrics.text()).contains("# TYPE engine_http_requests_total counter");
  }

  @Test
  void HEAD_works_where_GET_does_and_OPTIONS_answers_204() {
    Reply head = admin.call("HEAD", "/agents", BodyPublishers.noBody(), Map.of());
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.text()).isEmpty();
    admin.call("OPTIONS", "/agents", BodyPublishers.noBody(), Map.of()).empty();
  }
}
