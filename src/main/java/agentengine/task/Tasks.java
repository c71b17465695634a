package agentengine.task;

import agentengine.auth.Caller;
import agentengine.db.Database;
import agentengine.error.EngineException;
import agentengine.json.Fields;
import agentengine.json.TextRules;
import agentengine.turn.IdempotencyKeys;
import agentengine.turn.PendingCall;
import agentengine.turn.Turns;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** Tasks as their owners handle them: made, looked at, answered and cancelled. */
public final class Tasks {
  private static final int MAX_TITLE = 500;
  private static final int MAX_DESCRIPTION = 256 * 1024;

  private final Database db;
  private final TaskStore store;
  private final TaskMaking making;
  private final Turns turns;
  private final TaskWorker worker;
  private final InstantSource clock;

  public Tasks(
      Database db,
      TaskStore store,
      TaskMaking making,
      Turns turns,
      TaskWorker worker,
      InstantSource clock) {
    this.db = db;
    this.store = store;
    this.making = making;
    this.turns = turns;
    this.worker = worker;
    this.clock = clock;
  }

  /** Makes a task, unless the same request under the same key has made it before. */
  public Task create(Caller caller, JsonNode body, IdempotencyKeys.@Nullable Claim claim) {
    Fields fields = Fields.of(body);
    String agent = fields.requiredString("agent", TextRules.MAX_NAME);
    TaskMaking.Wish wish =
        new TaskMaking.Wish(
            caller.id(),
            agent,
            fields.requiredString("title", MAX_TITLE),
            fields.string("description", "", MAX_DESCRIPTION));
    fields.finish();
    Task task = db.write(handle -> create(handle, wish, claim));
    worker.wake();
    return task;
  }

  private Task create(Handle handle, TaskMaking.Wish wish, IdempotencyKeys.@Nullable Claim claim) {
    long now = clock.millis();
    if (claim != null) {
      Optional<Task> before =
          IdempotencyKeys.first(handle, claim, now).flatMap(first -> made(handle, first));
      if (before.isPresent()) {
        return before.get();
      }
    }
    boolean agentExists =
        handle
            .createQuery("SELECT 1 FROM agent WHERE name = :name")
            .bind("name", wish.agent())
            .mapTo(Integer.class)
            .findOne()
            .isPresent();
    if (!agentExists) {
      throw EngineException.invalid("agent", "agent '" + wish.agent() + "' does not exist");
    }
    Task task = making.make(handle, wish);
    if (claim != null
        && !IdempotencyKeys.claim(handle, claim, IdempotencyKeys.First.task(task.id()), now)) {
      throw EngineException.conflict("the same request is being worked on; send it again");
    }
    return task;
  }

  private Optional<Task> made(Handle handle, IdempotencyKeys.First first) {
    return first.taskId() == null ? Optional.empty() : store.find(handle, first.taskId());
  }

  public List<Task> list(
      Caller caller, @Nullable TaskStatus status, @Nullable String agent, int limit) {
    return db.read(handle -> store.list(handle, caller, status, agent, limit));
  }

  /** The task, if this caller may know of it. */
  public Task get(Caller caller, String id) {
    return db.read(handle -> find(handle, caller, id));
  }

  private Task find(Handle handle, Caller caller, String id) {
    return store
        .find(handle, id)
        .filter(task -> caller.isAdmin() || task.owner().equals(caller.id()))
        .orElseThrow(() -> EngineException.notFound("task", id));
  }

  /** What the task's agent waits for. */
  public List<PendingCall> pending(Task task) {
    return task.sessionId() == null || task.status() != TaskStatus.NEEDS_INPUT
        ? List.of()
        : turns.pending(task.sessionId());
  }

  /** Cancels a task that is pending or in progress; its model call and its tools end. */
  public Task cancel(Caller caller, String id) {
    Task task =
        db.write(
            handle -> {
              Task current = find(handle, caller, id);
              if (!store.end(handle, id, TaskStatus.CANCELLED, null, null)) {
                throw EngineException.conflict(
                    "the task is " + current.status().wireName() + " and cannot be cancelled");
              }
              if (current.sessionId() != null) {
                turns.requestCancel(handle, current.sessionId());
              }
              return find(handle, caller, id);
            });
    if (task.sessionId() != null) {
      turns.endCancelled(task.sessionId());
    }
    return task;
  }

  /** Approves or rejects a gate of the task. */
  public Task respond(Caller caller, String id, String callId, boolean approved, String reason) {
    turns.respond(caller, sessionThatWaits(caller, id), callId, approved, reason);
    return get(caller, id);
  }

  /** Answers the oldest question that the task's agent asked. */
  public Task answer(Caller caller, String id, String words) {
    String sessionId = sessionThatWaits(caller, id);
    PendingCall question =
        turns.pending(sessionId).stream()
            .filter(PendingCall::isQuestion)
            .findFirst()
            .orElseThrow(
                () -> EngineException.conflict("the task asks no question; it waits for a gate"));
    turns.answer(caller, sessionId, question.callId(), words);
    return get(caller, id);
  }

  private String sessionThatWaits(Caller caller, String id) {
    Task task = get(caller, id);
    if (task.status() != TaskStatus.NEEDS_INPUT || task.sessionId() == null) {
      throw EngineException.conflict(
          "the task is " + task.status().wireName() + " and waits for no input");
    }
    return task.sessionId();
  }
}
