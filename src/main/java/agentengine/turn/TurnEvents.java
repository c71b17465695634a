package agentengine.turn;

import agentengine.db.HotStatement;
import agentengine.json.Json;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jdbi.v3.core.Handle;

/** The durable events of turns, in and out of their table. */
final class TurnEvents {
  private static final Map<String, Class<? extends TurnEvent.Durable>> EVENT_TYPES =
      Stream.<Class<? extends TurnEvent.Durable>>of(
              TurnEvent.MessageComplete.class,
              TurnEvent.ConfirmationAsked.class,
              TurnEvent.ToolStarted.class,
              TurnEvent.ToolReturned.class,
              TurnEvent.StructuredOutputShown.class,
              TurnEvent.Failed.class,
              TurnEvent.Done.class)
          .collect(Collectors.toUnmodifiableMap(Class::getSimpleName, type -> type));

  private static final HotStatement INSERT =
      new HotStatement(
          "INSERT INTO turn_event (session_id, turn, attempt, n, type, data)"
              + " VALUES (?, ?, ?, ?, ?, ?)");

  private TurnEvents() {}

  /** Only a session's last turn can be replayed, and those whose request may be sent again. */
  static void forgetBefore(Handle handle, TurnKey key) {
    handle
        .createUpdate(
            """
            DELETE FROM turn_event
            WHERE session_id = :session AND turn < :number
              AND NOT EXISTS (SELECT 1 FROM idempotency_key k
                WHERE k.session_id = turn_event.session_id AND k.turn = turn_event.turn)
            """)
        .bind("session", key.sessionId())
        .bind("number", key.number())
        .execute();
  }

  static void insert(Handle handle, String sessionId, LoggedEvent logged) {
    INSERT.update(
        handle,
        sessionId,
        logged.id().turn(),
        logged.id().attempt(),
        logged.id().n(),
        logged.event().getClass().getSimpleName(),
        Json.writeRecord(logged.event()));
  }

  static List<LoggedEvent> of(Handle handle, String sessionId, int turn) {
    return handle
        .createQuery(
            """
            SELECT attempt, n, type, data FROM turn_event
            WHERE session_id = :session AND turn = :turn ORDER BY attempt, n
            """)
        .bind("session", sessionId)
        .bind("turn", turn)
        .map(
            (row, _) ->
                new LoggedEvent(
                    new EventId(turn, row.getInt("attempt"), row.getInt("n")),
                    event(row.getString("type"), row.getString("data"))))
        .list();
  }

  private static TurnEvent event(String type, String data) {
    Class<? extends TurnEvent.Durable> known = EVENT_TYPES.get(type);
    if (known == null) {
      throw new IllegalStateException("the store holds an event of the unknown type " + type);
    }
    return Json.parseRecord(data, known);
  }
}
