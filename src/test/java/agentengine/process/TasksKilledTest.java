package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import agentengine.testing.process.Eventually;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks in every status, one kill, and each comes to its one end after the restart. */
@ParameterizedClass
@EnumSource
class TasksKilledTest {
  private static final int AT_ONCE = 10;

  private final CrashScene scene;

  TasksKilledTest(TestDatabases.Kind kind) {
    scene = new CrashScene(kind);
  }

  @AfterEach
  void close() {
    scene.close();
  }

  @Test
  void no_task_is_lost_and_none_is_done_twice() {
    String gated = create("wire", CrashScene.call("wire", "t-wire") + after());
    String asking = create("ask", "[[tool ask_user {\"question\":\"Which?\"}]]" + after());
    reach(gated, "needs_input");
    reach(asking, "needs_input");
    String done = create("done", CrashScene.call("charge", "t-done") + after());
    reach(done, "completed");
    String charging = create("charge", CrashScene.heldCall("charge", "t-charge") + after());
    String storing = create("store", CrashScene.heldCall("store", "t-store") + after());
    scene.tools().awaitArrival("t-charge");
    scene.tools().awaitArrival("t-store");
    List<String> stalled =
        IntStream.range(0, AT_ONCE - 2)
            .mapToObj(
                i ->
                    create(
                        "s" + i,
                        "[[chunk Be]] [[stall times=1 key=task-%d]] [[chunk gun]]".formatted(i)))
            .toList();
    stalled.forEach(task -> reach(task, "in_progress"));
    String waiting = create("last", "[[say At last]]");
    assertThat(status(waiting)).isEqualTo("pending");

    scene.killAndRestart();

    stalled.forEach(task -> assertThat(result(task)).isEqualTo("Begun"));
    assertThat(result(waiting)).isEqualTo("At last");
    assertThat(result(charging)).contains("interrupted, outcome unknown");
    assertThat(scene.requests("t-charge")).hasSize(1);
    assertThat(result(storing)).isEqualTo("ran-t-store");
    assertThat(scene.requests("t-store")).hasSize(2);
    assertThat(result(done)).isEqualTo("ran-t-done");
    assertThat(scene.requests("t-done")).hasSize(1);

    JsonNode gate = task(gated).path("pending").path(0);
    assertThat(task(gated).path("status").textValue()).isEqualTo("needs_input");
    ObjectNode approval = Json.object().put("call_id", gate.path("call_id").textValue());
    approval.putArray("answers").add("approve");
    scene.client().post("/tasks/" + gated + "/input", approval);
    assertThat(result(gated)).isEqualTo("ran-t-wire");
    assertThat(scene.requests("t-wire")).hasSize(1);

    scene.client().post("/tasks/" + asking + "/input", Json.object().put("input", "This one"));
    assertThat(result(asking)).isEqualTo("This one");
  }

  private static String after() {
    return " [[then]] [[say {{result}}]]";
  }

  private String create(String title, String description) {
    return scene
        .client()
        .post(
            "/tasks",
            Json.object().put("agent", "boss").put("title", title).put("description", description))
        .path("id")
        .textValue();
  }

  private JsonNode task(String id) {
    return scene.client().get("/tasks/" + id);
  }

  private String status(String id) {
    return task(id).path("status").textValue();
  }

  private void reach(String id, String status) {
    Eventually.until("the task is " + status, () -> status(id).equals(status));
  }

  private String result(String id) {
    reach(id, "completed");
    return task(id).path("result").textValue();
  }
}
