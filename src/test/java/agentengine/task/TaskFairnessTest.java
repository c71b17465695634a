package agentengine.task;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** One owner's many tasks do not hold up another's. */
@ParameterizedClass
@EnumSource
class TaskFairnessTest {
  private final TestDatabases.Kind kind;

  TaskFairnessTest(TestDatabases.Kind kind) {
    this.kind = kind;
  }

  @Test
  @Timeout(60)
  void owners_take_turns_and_only_so_many_tasks_run_at_once() throws InterruptedException {
    try (TestEngine engine = TestEngine.start(kind)) {
      ApiClient admin = engine.admin();
      ObjectNode settings = Json.object();
      settings.putObject("limits").put("concurrent_tasks", 1);
      admin.put("/api/v1/settings", settings).expect(200);
      ApiClient busy = admin.withScopes("tasks");
      ApiClient other = admin.withScopes("tasks");
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        ids.add(create(busy, "busy"));
      }
      ids.add(create(other, "other"));

      List<JsonNode> tasks = new ArrayList<>();
      for (String id : ids) {
        JsonNode task = admin.get("/api/v1/tasks/" + id).expect(200);
        while (!task.path("status").textValue().equals("completed")) {
          Thread.sleep(20);
          task = admin.get("/api/v1/tasks/" + id).expect(200);
        }
        tasks.add(task);
      }

      tasks.sort(Comparator.comparing(task -> task.path("started_at").textValue()));
      assertThat(tasks.subList(0, 4).stream().map(task -> task.path("title").textValue()))
          .as("the other owner's task is among the first")
          .anyMatch(title -> title.contains("other"));
      for (int i = 1; i < tasks.size(); i++) {
        assertThat(tasks.get(i).path("started_at").textValue())
            .as("one at a time")
            .isGreaterThanOrEqualTo(tasks.get(i - 1).path("finished_at").textValue());
      }
    }
  }

  private static String create(ApiClient client, String title) {
    return client
        .post(
            "/api/v1/tasks",
            Json.object().put("agent", "helper").put("title", "[[delay 50ms]] [[say x]] " + title))
        .expect(201)
        .path("id")
        .textValue();
  }
}
