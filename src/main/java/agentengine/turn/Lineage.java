package agentengine.turn;

/**
 * Where a turn comes from: the session whose person it serves, that person, and the agents above.
 *
 * @param path the agents from the root down, this turn's own last
 */
record Lineage(String rootSessionId, String userId, String path, int depth) {
  static Lineage root(String sessionId, String userId, String agent) {
    return new Lineage(sessionId, userId, agent, 0);
  }

  Lineage below(String agent) {
    return new Lineage(rootSessionId, userId, path + "/" + agent, depth + 1);
  }
}
