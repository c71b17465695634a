package agentengine.turn;

import agentengine.model.ModelRecord;
import org.jspecify.annotations.Nullable;

/**
 * A turn under way, as all that works on it sees it.
 *
 * @param override the model that came with the request: it and no other is called then, by the
 *     sub-agents too
 */
record TurnContext(
    TurnServices services,
    Casts.Cast cast,
    TurnState state,
    Lineage lineage,
    Journal journal,
    TurnControl control,
    @Nullable ModelRecord override) {

  TurnKey key() {
    return state.key();
  }
}
