package agentengine.turn;

import org.jspecify.annotations.Nullable;

/**
 * Where a turn comes from: the session whose person it serves, that person, the task it works on,
 * if it does, and the agents above.
 *
 * @param path the agents from the root down, this turn's own last
 */
record Lineage(
    String rootSessionId, String userId, @Nullable String taskId, String path, int depth) {
  static Lineage root(String sessionId, String userId, @Nullable String taskId, String agent) {
    return new Lineage(sessionId, userId, taskId, agent, 0);
  }

  Lineage below(String agent) {
    return new Lineage(rootSessionId, userId, taskId, path + "/" + agent, depth + 1);
  }
}
