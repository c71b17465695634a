package agentengine.turn;

/** An event with its place. */
public record LoggedEvent(EventId id, TurnEvent event) {}
