package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** States and transitions. */
@ParameterizedClass
@EnumSource
class StatesContractTest {
  private static final String RUNS_ON = "[[say On]] [[stall]]";
  private static final String WAITS = "[[tool guarded {}]] [[then]] [[say Went through]]";

  private final World world;
  private final Http admin;

  StatesContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
  }

  private JsonNode task(String id) {
    return admin.get("/tasks/" + id).json(200);
  }

  private String cancel(String id) {
    return admin.delete("/tasks/" + id).json(200).path("status").textValue();
  }

  @Test
  void a_task_has_the_fields_of_the_create_response_and_those_decided() {
    JsonNode task = task(world.task("helper", "[[say Done]]"));

    Shapes.hasExactly(
        task,
        "id",
        "agent",
        "title",
        "description",
        "status",
        "created_at",
        "started_at",
        "finished_at",
        "session_id",
        "result",
        "error",
        "pending");
    Shapes.strings(task, "id", "agent", "title", "status");
    Shapes.timestamps(task, "created_at");
  }

  @Test
  void post_tasks_of_a_valid_request_leads_to_pending_and_the_create_response_says_so() {
    Reply created =
        admin.post("/tasks", "{'agent':'helper','title':'[[say Hi]]','description':'d'}");

    assertThat(created.json(201).path("status").textValue()).isEqualTo("pending");
    assertThat(created.header("Location"))
        .isEqualTo("/api/v1/tasks/" + created.json(201).path("id").textValue());
  }

  @Test
  void pending_is_created_waiting_to_be_picked_up_and_delete_cancels_it() {
    List<String> atWork =
        List.of(world.task("helper", RUNS_ON), world.task("helper", RUNS_ON)); // all there may be
    atWork.forEach(id -> world.awaitTask(id, "in_progress"));
    String waiting = world.task("helper", "[[say Never]]");
    assertThat(task(waiting).path("status").textValue()).isEqualTo("pending");
    assertThat(task(waiting).path("started_at").isNull()).isTrue();

    assertThat(cancel(waiting)).isEqualTo("cancelled");

    atWork.forEach(id -> assertThat(cancel(id)).isEqualTo("cancelled"));
    assertThat(task(waiting).path("session_id").isNull()).as("it never ran").isTrue();
  }

  @Test
  void in_progress_is_worked_on_by_the_agent_and_delete_cancels_it() {
    String id = world.task("helper", RUNS_ON);
    JsonNode working = world.awaitTask(id, "in_progress");
    Shapes.timestamps(working, "started_at");
    Shapes.strings(working, "session_id");

    assertThat(cancel(id)).isEqualTo("cancelled");

    Shapes.timestamps(task(id), "finished_at");
    world.awaitSession(working.path("session_id").textValue(), "idle");
  }

  @Test
  void needs_input_is_paused_waiting_for_a_confirmation_and_goes_on_when_answered() {
    String id = world.task("worker", WAITS);
    JsonNode call = world.awaitTask(id, "needs_input").path("pending").path(0);
    Shapes.hasExactly(call, "call_id", "tool", "input");
    admin.delete("/tasks/" + id).isError(409, "conflict");

    admin
        .post(
            "/tasks/" + id + "/input",
            "{'call_id':'%s','answers':['approve']}".formatted(call.path("call_id").textValue()))
        .json(200);

    assertThat(world.awaitTask(id, "completed").path("result").textValue())
        .isEqualTo("Went through");
  }

  @Test
  void needs_input_is_also_a_question_of_the_agent_whose_answer_is_text() {
    String id =
        world.task(
            "helper", "[[tool ask_user {\"question\":\"Who?\"}]] [[then]] [[say {{result}}]]");
    JsonNode asked = world.awaitTask(id, "needs_input").path("pending").path(0);
    Shapes.hasExactly(asked, "call_id", "question");
    assertThat(asked.path("question").textValue()).isEqualTo("Who?");

    admin.post("/tasks/" + id + "/input", "{'input':'Nobody'}").json(200);

    assertThat(world.awaitTask(id, "completed").path("result").textValue()).isEqualTo("Nobody");
  }

  @Test
  void a_tasks_gate_can_be_answered_at_the_respond_endpoint_too() {
    String id = world.task("worker", WAITS);
    JsonNode waiting = world.awaitTask(id, "needs_input");

    world
        .respond(
            waiting.path("session_id").textValue(),
            waiting.path("pending").path(0).path("call_id").textValue(),
            "approve")
        .json(200);

    world.awaitTask(id, "completed");
  }

  @Test
  void completed_is_finished_successfully_and_final() {
    String id = world.task("helper", "[[say The result]]");

    JsonNode done = world.awaitTask(id, "completed");
    assertThat(done.path("result").textValue()).isEqualTo("The result");
    assertThat(done.path("error").isNull()).isTrue();
    Shapes.timestamps(done, "started_at", "finished_at");
    assertFinal(id, "completed");
  }

  @Test
  void failed_is_failed_due_to_an_error_and_final() {
    String id = world.task("helper", "[[error 400 no such thing]]");

    JsonNode failed = world.awaitTask(id, "failed");
    assertThat(failed.path("error").textValue()).isNotBlank();
    assertThat(failed.path("result").isNull()).isTrue();
    assertFinal(id, "failed");
  }

  @Test
  void cancelled_is_cancelled_by_an_api_call_and_final() {
    String id = world.task("helper", RUNS_ON);
    assertThat(cancel(id)).isEqualTo("cancelled");
    assertFinal(id, "cancelled");
  }

  /** Nothing leads out of an end; who tries is told the status. */
  private void assertFinal(String id, String status) {
    Reply refused = admin.delete("/tasks/" + id);
    refused.isError(409, "conflict");
    assertThat(refused.message()).contains(status);
    admin.post("/tasks/" + id + "/input", "{'input':'x'}").isError(409, "conflict");
    assertThat(task(id).path("status").textValue()).isEqualTo(status);
  }

  @Test
  void a_chat_stream_paused_by_a_confirmation_resumes_when_the_respond_endpoint_has_the_answer() {
    long before = world.callsOf("guarded");
    try (Events events = admin.chat("work", WAITS)) {
      JsonNode asked = events.await("confirmation").data();
      assertThat(world.callsOf("guarded")).as("not before the answer").isEqualTo(before);
      JsonNode session = world.awaitSession(events.sessionId(), "waiting");
      JsonNode pending = session.path("pending").path(0);
      Shapes.hasExactly(pending, "call_id", "tool", "input");
      assertThat(pending.path("call_id")).isEqualTo(asked.path("call_id"));

      JsonNode acknowledged =
          world.respond(events.sessionId(), asked.path("call_id").textValue(), "approve").json(200);

      Shapes.hasExactly(acknowledged, "status", "call_id");
      assertThat(acknowledged.path("status").textValue()).isEqualTo("ok");
      assertThat(Events.names(events.all()))
          .startsWith("tool_call", "tool_result")
          .endsWith("message", "done");
      assertThat(world.callsOf("guarded")).isEqualTo(before + 1);
    }
  }
}
