package agentengine.http;

import agentengine.auth.Scope;
import agentengine.error.EngineException;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.task.Task;
import agentengine.task.TaskStatus;
import agentengine.task.Tasks;
import agentengine.turn.PendingCall;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tasks, which agents work on without anybody watching. */
final class TaskRoutes {
  private static final int DEFAULT_LIMIT = 200;
  private static final int MAX_LIMIT = 1_000;
  private static final int MAX_INPUT = 100_000;

  private final Tasks tasks;

  TaskRoutes(Tasks tasks) {
    this.tasks = tasks;
  }

  List<Route> routes() {
    Access access = Access.scopes(Scope.TASKS);
    return List.of(
        Route.get("/api/v1/tasks", access, this::list),
        Route.post("/api/v1/tasks", access, this::create),
        Route.get("/api/v1/tasks/{id}", access, this::get),
        Route.delete("/api/v1/tasks/{id}", access, this::cancel),
        Route.post("/api/v1/tasks/{id}/input", access, this::input));
  }

  private void list(Exchange exchange) {
    String status = exchange.query("status");
    if (status != null && !TaskStatus.wireNames().contains(status)) {
      throw EngineException.invalid(
          "status", "must be one of " + String.join(", ", TaskStatus.wireNames()));
    }
    int asked = exchange.positiveQuery("limit", DEFAULT_LIMIT);
    if (asked > MAX_LIMIT) {
      exchange.setHeader("X-Limit-Applied", String.valueOf(MAX_LIMIT));
    }
    ArrayNode list = Json.array();
    tasks
        .list(
            exchange.caller(),
            status == null ? null : TaskStatus.ofWireName(status),
            exchange.query("agent"),
            Math.min(asked, MAX_LIMIT))
        .forEach(task -> list.add(json(task)));
    exchange.ok(list);
  }

  private void create(Exchange exchange) {
    JsonNode body = exchange.body();
    Task task = tasks.create(exchange.caller(), body, RetriedRequest.claim(exchange, "task", body));
    exchange.created("/api/v1/tasks/" + task.id(), json(task));
  }

  private void get(Exchange exchange) {
    exchange.ok(json(tasks.get(exchange.caller(), exchange.parameter("id"))));
  }

  private void cancel(Exchange exchange) {
    exchange.send(Status.OK_200, json(tasks.cancel(exchange.caller(), exchange.parameter("id"))));
  }

  private void input(Exchange exchange) {
    String id = exchange.parameter("id");
    Fields fields = Fields.of(exchange.body());
    if (fields.has("input")) {
      String words = fields.requiredString("input", MAX_INPUT);
      fields.finish();
      exchange.ok(json(tasks.answer(exchange.caller(), id, words)));
      return;
    }
    GateAnswer answer = GateAnswer.read(fields);
    exchange.ok(
        json(
            tasks.respond(
                exchange.caller(), id, answer.callId(), answer.approved(), answer.reason())));
  }

  private ObjectNode json(Task task) {
    ObjectNode json = Json.object();
    json.put("id", task.id());
    json.put("agent", task.agent());
    json.put("title", task.title());
    json.put("description", task.description());
    json.put("status", task.status().wireName());
    json.put("created_at", task.createdAt().toString());
    json.put("started_at", text(task.startedAt()));
    json.put("finished_at", text(task.finishedAt()));
    json.put("session_id", task.sessionId());
    json.put("result", task.result());
    json.put("error", task.error());
    ArrayNode pending = json.putArray("pending");
    for (PendingCall call : tasks.pending(task)) {
      ObjectNode item = pending.addObject().put("call_id", call.callId());
      if (call.isQuestion()) {
        item.put("question", call.question());
      } else {
        item.put("tool", call.tool()).set("input", call.input());
      }
    }
    return json;
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
