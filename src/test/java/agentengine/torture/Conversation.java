package agentengine.torture;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A session with the turns that its client had in it. */
final class Conversation {
  private final List<Turn> turns = new ArrayList<>();

  void add(Turn turn) {
    turns.add(turn);
  }

  List<Turn> turns() {
    return turns;
  }

  /** Null until the first message was accepted. */
  @Nullable String sessionId() {
    return turns.isEmpty() ? null : turns.getFirst().sessionId();
  }

  boolean isAbandoned() {
    return turns.stream().anyMatch(Turn::isAbandoned);
  }
}
