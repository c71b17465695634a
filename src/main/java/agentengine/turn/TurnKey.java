package agentengine.turn;

/** Names a turn as one attempt sees it; a write with an attempt that is no longer current fails. */
record TurnKey(String sessionId, int number, int attempt) {}
