package agentengine.task;

import agentengine.agent.AgentSpec;
import agentengine.db.Database;
import agentengine.tool.Tool;
import agentengine.turn.TaskDesk;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/** Keeps tasks in step with the turns that work on them. */
public final class TaskNotes implements TaskDesk {
  private final Database db;
  private final TaskStore store;
  private final TaskMaking making;

  public TaskNotes(Database db, TaskStore store, TaskMaking making) {
    this.db = db;
    this.store = store;
    this.making = making;
  }

  @Override
  public void waits(Handle handle, String sessionId) {
    store.moveOfSession(handle, sessionId, TaskStatus.NEEDS_INPUT);
  }

  @Override
  public void goesOn(Handle handle, String sessionId) {
    store.moveOfSession(handle, sessionId, TaskStatus.IN_PROGRESS);
  }

  @Override
  public void completed(Handle handle, String taskId, String result) {
    boolean _ = store.end(handle, taskId, TaskStatus.COMPLETED, result, null);
  }

  @Override
  public void failed(Handle handle, String taskId, String error) {
    boolean _ = store.end(handle, taskId, TaskStatus.FAILED, null, error);
  }

  /** The task was cancelled when its turn was asked to end; a turn alone may be cancelled too. */
  @Override
  public void cancelled(Handle handle, String taskId) {
    if (!store.end(handle, taskId, TaskStatus.CANCELLED, null, null)) {
      boolean _ =
          store.end(handle, taskId, TaskStatus.FAILED, null, "cancelled while it waited for input");
    }
  }

  @Override
  public Optional<Tool> taskMaker(String owner, AgentSpec agent) {
    return agent.uses().tools().contains(CreateTaskTool.NAME)
        ? Optional.of(new CreateTaskTool(db, making, owner, agent))
        : Optional.empty();
  }
}
