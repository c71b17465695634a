package agentengine.task;

import agentengine.db.Ids;
import agentengine.error.EngineException;
import java.time.InstantSource;
import org.jdbi.v3.core.Handle;

/** Makes tasks, whoever wants one: a client, or an agent. */
public final class TaskMaking {
  /** What one owner may have open at a time. */
  static final int MAX_OPEN = 1_000;

  private final TaskStore store;
  private final Ids ids;
  private final InstantSource clock;

  public TaskMaking(TaskStore store, Ids ids, InstantSource clock) {
    this.store = store;
    this.ids = ids;
    this.clock = clock;
  }

  /** A task as somebody wants it. */
  record Wish(String owner, String agent, String title, String description) {}

  Task make(Handle handle, Wish wish) {
    return make(handle, ids.next(), wish);
  }

  /** Makes a task with an id that its maker chose. */
  Task make(Handle handle, String id, Wish wish) {
    if (store.open(handle, wish.owner()) >= MAX_OPEN) {
      throw EngineException.conflict(
          "there are " + MAX_OPEN + " open tasks already; wait for some to end or cancel them");
    }
    Task task =
        new Task(
            id,
            wish.owner(),
            wish.agent(),
            wish.title(),
            wish.description(),
            TaskStatus.PENDING,
            null,
            null,
            null,
            clock.instant(),
            null,
            null);
    store.insert(handle, task);
    return task;
  }

  boolean isMade(Handle handle, String id) {
    return store.find(handle, id).isPresent();
  }
}
