package agentengine.task;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A task may have to wait longer than its agent is there. */
@ParameterizedClass
@EnumSource
class TaskOfAGoneAgentTest {
  private final TestDatabases.Kind kind;

  TaskOfAGoneAgentTest(TestDatabases.Kind kind) {
    this.kind = kind;
  }

  @Test
  @Timeout(60)
  void a_task_whose_agent_was_deleted_before_it_began_fails_and_says_so()
      throws InterruptedException {
    try (TestEngine engine = TestEngine.start(kind)) {
      ApiClient client = engine.admin();
      ObjectNode settings = Json.object();
      settings.putObject("limits").put("concurrent_tasks", 1);
      client.put("/api/v1/settings", settings).expect(200);
      client.post("/api/v1/agents", Json.object().put("name", "brief").put("model", "sim"));
      String first = create(client, "helper", "[[say wait]] [[stall]]");
      await(client, first, "in_progress");
      String second = create(client, "brief", "[[say never]]");
      client.delete("/api/v1/agents/brief").expect(204);
      client.delete("/api/v1/tasks/" + first).expect(200);

      JsonNode failed = await(client, second, "failed");

      assertThat(failed.path("error").textValue()).contains("brief");
    }
  }

  private static String create(ApiClient client, String agent, String title) {
    return client
        .post("/api/v1/tasks", Json.object().put("agent", agent).put("title", title))
        .expect(201)
        .path("id")
        .textValue();
  }

  private static JsonNode await(ApiClient client, String id, String status)
      throws InterruptedException {
    JsonNode task = client.get("/api/v1/tasks/" + id).expect(200);
    while (!task.path("status").textValue().equals(status)) {
      assertThat(task.path("finished_at").isNull()).as("still open: " + task).isTrue();
      Thread.sleep(20);
      task = client.get("/api/v1/tasks/" + id).expect(200);
    }
    return task;
  }
}
