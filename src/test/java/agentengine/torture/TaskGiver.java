package agentengine.torture;

import agentengine.json.Json;
import agentengine.testing.process.EngineHttp;
import agentengine.testing.process.ToolServer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** A client that gives one task after the other, answers what it asks, and sees it to its end. */
final class TaskGiver implements Runnable {
  private static final int PAUSE_MILLIS = 100;

  private final Stage stage;
  private final String name;
  private final Random random;
  private final List<Plan> ended = new ArrayList<>();
  private int tasks;

  TaskGiver(Stage stage, String name, Random random) {
    this.stage = stage;
    this.name = name;
    this.random = random;
  }

  @Override
  public void run() {
    try {
      while (!stage.life().isCalm()) {
        Scenario scenario = Pick.oneOf(Scenario.values(), random);
        if (scenario != Scenario.STRUCTURED_OUTPUT) {
          tasks++;
          give(scenario.plan(random, name + "x" + tasks));
        }
      }
    } catch (InterruptedException _) {
      stage.findings().violation("task giver " + name + " was not done in time");
    } catch (RuntimeException e) {
      stage.findings().violation("task giver " + name + " failed: " + e);
    }
  }

  private void give(Plan plan) throws InterruptedException {
    ObjectNode body =
        Json.object()
            .put("agent", plan.agent().wireName())
            .put("title", plan.name())
            .put("description", plan.message());
    Optional<JsonNode> made =
        untilAnswered(
            plan,
            () ->
                stage.http().send("POST", "/tasks", body, Map.of("Idempotency-Key", plan.name())));
    if (made.isEmpty()) {
      return;
    }
    stage.findings().count(Count.TASKS);
    String path = "/tasks/" + made.get().path("id").textValue();
    while (true) {
      Optional<JsonNode> task = untilAnswered(plan, () -> stage.http().get(path));
      if (task.isEmpty()) {
        return;
      }
      switch (task.get().path("status").asText()) {
        case "pending", "in_progress" -> Moments.pass(PAUSE_MILLIS);
        case "needs_input" -> answer(plan, path, task.get());
        default -> {
          stage
              .findings()
              .expect(
                  task.get().path("status").asText().equals("completed")
                      && task.get().path("result").asText().startsWith(plan.opening()),
                  "task " + plan.name() + " ended as " + task.get());
          ended.add(plan);
          return;
        }
      }
    }
  }

  private void answer(Plan plan, String path, JsonNode task) throws InterruptedException {
    for (JsonNode gate : task.path("pending")) {
      String marker = gate.path("input").path("marker").asText();
      Optional<Call> call =
          plan.allCalls().stream().filter(c -> c.marker().equals(marker)).findFirst();
      if (call.isEmpty()) {
        stage.findings().violation("task " + plan.name() + " asks for " + gate);
        continue;
      }
      ObjectNode body = Json.object().put("call_id", gate.path("call_id").asText());
      body.putArray("answers").add(call.get().answer());
      try (EngineHttp.Response response = stage.http().post(path + "/input", body)) {
        stage
            .findings()
            .expect(
                response.status() == 200 || response.status() == 409,
                "task " + plan.name() + " got " + response.status() + " for its gate");
      } catch (IOException _) {
        return; // Killed: what it waits for is looked at again.
      }
    }
    Moments.pass(PAUSE_MILLIS);
  }

  private interface Request {
    EngineHttp.Response send() throws IOException;
  }

  /** Sends until an engine answers; empty when none does any more, or it refuses. */
  private Optional<JsonNode> untilAnswered(Plan plan, Request request) throws InterruptedException {
    while (true) {
      if (!stage.life().awaitReady() || stage.life().isOverdue()) {
        stage.findings().violation("task " + plan.name() + " did not end");
        return Optional.empty();
      }
      try (EngineHttp.Response response = request.send()) {
        if (response.status() == 200 || response.status() == 201) {
          return Optional.of(response.json());
        }
        stage
            .findings()
            .violation("task " + plan.name() + " got " + response.status() + " " + response.text());
        return Optional.empty();
      } catch (IOException _) {
        Moments.pass(PAUSE_MILLIS);
      }
    }
  }

  /** Judges what the tools' own server has seen; to be called when it has ended. */
  void judge(ToolServer tools) {
    for (Plan plan : ended) {
      for (Call call : plan.allCalls()) {
        int runs = tools.requests(call.marker()).size();
        stage
            .findings()
            .expect(
                call.mayRun() ? !call.isUnsafe() || runs <= 1 : runs == 0,
                call + " of task " + plan.name() + " ran " + runs + " times");
      }
    }
  }
}
