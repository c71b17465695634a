package agentengine.turn;

import agentengine.agent.AgentSpec;
import agentengine.tool.Tool;
import java.util.Optional;
import org.jdbi.v3.core.Handle;

/**
 * Where a turn that works on a task tells how it goes, inside the transaction in which that
 * happens: the turn and its task never disagree.
 */
public interface TaskDesk {
  /** Somebody is asked something in a session, which may be that of a task. */
  void waits(Handle handle, String sessionId);

  /** Nobody is asked anything any more. */
  void goesOn(Handle handle, String sessionId);

  void completed(Handle handle, String taskId, String result);

  void failed(Handle handle, String taskId, String error);

  void cancelled(Handle handle, String taskId);

  /** The tool with which an agent makes tasks itself, if it has it. */
  Optional<Tool> taskMaker(String owner, AgentSpec agent);
}
