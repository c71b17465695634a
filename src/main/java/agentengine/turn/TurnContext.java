package agentengine.turn;

/** A turn under way, as all that works on it sees it. */
record TurnContext(
    TurnServices services,
    Casts.Cast cast,
    TurnState state,
    Lineage lineage,
    Journal journal,
    TurnControl control) {

  TurnKey key() {
    return state.key();
  }
}
