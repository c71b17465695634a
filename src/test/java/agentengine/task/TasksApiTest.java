package agentengine.task;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks from their making to their end. */
@ParameterizedClass
@EnumSource
class TasksApiTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ApiClient client;

  TasksApiTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
  }

  @Test
  void a_task_is_pending_and_then_worked_on_to_its_result() {
    Answer answer = create(client, "helper", "[[say Done with it]]");
    JsonNode made = answer.expect(201);
    assertThat(made.path("status").textValue()).isEqualTo("pending");
    assertThat(answer.header("Location")).isEqualTo("/api/v1/tasks/" + made.path("id").textValue());

    JsonNode ended = await(made, "completed");
    assertThat(ended.path("result").textValue()).isEqualTo("Done with it");
    assertThat(ended.path("error").isNull()).isTrue();
    assertThat(ended.path("started_at").isNull()).isFalse();
    assertThat(ended.path("finished_at").isNull()).isFalse();
    JsonNode session =
        client.get("/api/v1/sessions/" + ended.path("session_id").textValue()).expect(200);
    assertThat(session.path("messages").findValuesAsText("role"))
        .containsExactly("user", "assistant");
    assertThat(session.get("schema").isNull()).isTrue();
  }

  @Test
  void a_task_whose_turn_fails_has_failed_with_the_reason() {
    JsonNode ended =
        await(create(client, "helper", "[[error 401 no entry]]").expect(201), "failed");

    assertThat(ended.path("error").textValue()).isNotBlank();
    assertThat(ended.path("result").isNull()).isTrue();
  }

  @Test
  void a_gate_makes_a_task_need_input_and_its_answer_lets_it_go_on() {
    String agent =
        agent(
            fields -> {
              fields.set("tools", Json.array(List.of("current_time")));
              fields.set("confirm_before", Json.array(List.of("current_time")));
            });
    JsonNode waiting =
        await(
            create(client, agent, "[[tool current_time {}]] [[then]] [[say {{result}}]]")
                .expect(201),
            "needs_input");
    JsonNode pending = waiting.path("pending").path(0);
    assertThat(pending.path("tool").textValue()).isEqualTo("current_time");
    assertThat(client.delete(path(waiting)).error(409)).isEqualTo("conflict");

    ObjectNode approval = Json.object().put("call_id", pending.path("call_id").textValue());
    approval.putArray("answers").add("approve");
    client.post(path(waiting) + "/input", approval).expect(200);

    assertThat(await(waiting, "completed").path("result").textValue()).contains("time");
  }

  @Test
  void an_agent_asks_and_the_answer_is_what_its_tool_gives() {
    JsonNode waiting =
        await(
            create(
                    client,
                    "helper",
                    "[[tool ask_user {\"question\":\"Which one?\"}]] [[then]] [[say {{result}}!]]")
                .expect(201),
            "needs_input");
    JsonNode pending = waiting.path("pending").path(0);
    assertThat(pending.path("question").textValue()).isEqualTo("Which one?");
    ObjectNode approval = Json.object().put("call_id", pending.path("call_id").textValue());
    approval.putArray("answers").add("approve");
    assertThat(client.post(path(waiting) + "/input", approval).error(400))
        .as("a question is not approved")
        .isEqualTo("invalid_request");

    client.post(path(waiting) + "/input", Json.object().put("input", "The red one")).expect(200);

    assertThat(await(waiting, "completed").path("result").textValue()).isEqualTo("The red one!");
    assertThat(client.post(path(waiting) + "/input", Json.object().put("input", "x")).error(409))
        .isEqualTo("conflict");
  }

  @Test
  void ask_user_is_there_in_tasks_only() {
    JsonNode body =
        client
            .post(
                "/api/v1/schemas/help/chat",
                Json.object().put("message", "[[say Tools: {{tools}}]]").put("stream", false))
            .expect(200);

    assertThat(body.path("response").textValue()).doesNotContain("ask_user");
  }

  @Test
  void a_running_task_can_be_cancelled_and_an_ended_one_cannot() {
    JsonNode running =
        await(create(client, "helper", "[[say wait]] [[stall]]").expect(201), "in_progress");

    assertThat(client.delete(path(running)).expect(200).path("status").textValue())
        .isEqualTo("cancelled");
    JsonNode after = client.get(path(running)).expect(200);
    assertThat(after.path("status").textValue()).isEqualTo("cancelled");
    assertThat(client.delete(path(running)).json().path("message").textValue())
        .contains("cancelled");
    assertThat(
            client
                .get("/api/v1/sessions/" + after.path("session_id").textValue())
                .expect(200)
                .path("status")
                .textValue())
        .isEqualTo("idle");
  }

  @Test
  void tasks_are_listed_by_status_and_agent_the_newest_first() {
    String agent = agent(_ -> {});
    JsonNode first = await(create(client, agent, "[[say one]]").expect(201), "completed");
    JsonNode second = await(create(client, agent, "[[error 401]]").expect(201), "failed");

    assertThat(client.get("/api/v1/tasks?agent=" + agent).expect(200).findValuesAsText("id"))
        .containsExactly(second.path("id").textValue(), first.path("id").textValue());
    assertThat(
            client
                .get("/api/v1/tasks?status=completed&agent=" + agent)
                .expect(200)
                .findValuesAsText("id"))
        .containsExactly(first.path("id").textValue());
    assertThat(client.get("/api/v1/tasks?status=done").error(400)).isEqualTo("invalid_request");
  }

  @Test
  void another_callers_task_is_not_there() {
    JsonNode made = create(client, "helper", "[[say mine]]").expect(201);
    ApiClient other = client.withScopes("tasks");

    assertThat(other.get(path(made)).error(404)).isEqualTo("not_found");
    assertThat(other.delete(path(made)).error(404)).isEqualTo("not_found");
    assertThat(other.get("/api/v1/tasks").expect(200)).isEmpty();
    assertThat(client.withScopes("chat").get("/api/v1/tasks").error(403)).isEqualTo("forbidden");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"agent\":\"helper\"}",
        "{\"title\":\"x\"}",
        "{\"agent\":\"nobody\",\"title\":\"x\"}",
        "{\"agent\":\"helper\",\"title\":\" \"}",
        "{\"agent\":\"helper\",\"title\":\"x\",\"status\":\"completed\"}"
      })
  void what_is_no_task_is_refused(String body) {
    assertThat(client.post("/api/v1/tasks", Json.parse(body)).error(400))
        .isEqualTo("invalid_request");
  }

  @Test
  void the_same_request_under_a_key_makes_one_task() {
    String key = TestEngine.freshName();
    byte[] body =
        Json.writeBytes(Json.object().put("agent", "helper").put("title", "[[say once]]"));
    Map<String, String> headers =
        Map.of("Content-Type", "application/json", "Idempotency-Key", key);

    JsonNode first = client.send("POST", "/api/v1/tasks", body, headers).expect(201);
    JsonNode second = client.send("POST", "/api/v1/tasks", body, headers).expect(201);

    assertThat(second.path("id")).isEqualTo(first.path("id"));
    byte[] other =
        Json.writeBytes(Json.object().put("agent", "helper").put("title", "[[say twice]]"));
    assertThat(client.send("POST", "/api/v1/tasks", other, headers).error(409))
        .isEqualTo("conflict");
  }

  @Test
  void an_agent_makes_tasks_itself() {
    String agent = agent(fields -> fields.set("tools", Json.array(List.of("create_task"))));

    JsonNode first =
        await(
            create(
                    client,
                    agent,
                    "[[tool create_task {\"title\":\"[[say the second]]\"}]] [[then]]"
                        + " [[say {{result}}]]")
                .expect(201),
            "completed");

    String id = Json.parse(first.path("result").textValue()).path("task_id").textValue();
    JsonNode second = await(client.get("/api/v1/tasks/" + id).expect(200), "completed");
    assertThat(second.path("result").textValue()).isEqualTo("the second");
    assertThat(second.path("agent").textValue()).isEqualTo(agent);
  }

  private String agent(Consumer<ObjectNode> fields) {
    ObjectNode agent = Json.object().put("name", TestEngine.freshName()).put("model", "sim");
    fields.accept(agent);
    return client.post("/api/v1/agents", agent).expect(201).path("name").textValue();
  }

  private static Answer create(ApiClient from, String agent, String title) {
    return from.post("/api/v1/tasks", Json.object().put("agent", agent).put("title", title));
  }

  private static String path(JsonNode task) {
    return "/api/v1/tasks/" + task.path("id").textValue();
  }

  private JsonNode await(JsonNode task, String status) {
    Predicate<JsonNode> reached = now -> now.path("status").textValue().equals(status);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    JsonNode now = client.get(path(task)).expect(200);
    while (!reached.test(now)) {
      assertThat(System.nanoTime()).as("still " + now).isLessThan(deadline);
      try {
        Thread.sleep(20);
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      now = client.get(path(task)).expect(200);
    }
    return now;
  }
}
