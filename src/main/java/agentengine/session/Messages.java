package agentengine.session;

import agentengine.db.HotStatement;
import agentengine.json.Json;
import agentengine.model.ToolRequest;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jdbi.v3.core.Handle;
import org.jspecify.annotations.Nullable;

/** The messages of sessions, in and out of their table. */
public final class Messages {
  private static final HotStatement INSERT =
      new HotStatement(
          """
          INSERT INTO message
            (session_id, position, id, turn, role, agent, content, tool_calls, call_id, tokens,
             size, created_at, origin)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          """);

  private Messages() {}

  public static void insert(Handle handle, String sessionId, Message message) {
    INSERT.update(
        handle,
        sessionId,
        message.position(),
        message.id(),
        message.turn(),
        message.role().wireName(),
        message.agent(),
        message.content(),
        write(message.toolRequests()),
        message.callId(),
        message.tokens(),
        message.size(),
        message.createdAt().toEpochMilli(),
        message.origin() == null ? null : message.origin().write());
  }

  static List<Message> all(Handle handle, String sessionId) {
    return handle
        .createQuery("SELECT * FROM message WHERE session_id = :session ORDER BY position")
        .bind("session", sessionId)
        .map((row, _) -> message(row))
        .list();
  }

  /** At most {@code limit} messages before a position, the newest first. */
  static List<Message> before(Handle handle, String sessionId, int position, int limit) {
    return handle
        .createQuery(
            """
            SELECT * FROM message WHERE session_id = :session AND position < :position
            ORDER BY position DESC LIMIT :limit
            """)
        .bind("session", sessionId)
        .bind("position", position)
        .bind("limit", limit)
        .map((row, _) -> message(row))
        .list();
  }

  private static Message message(ResultSet row) throws SQLException {
    String origin = row.getString("origin");
    return new Message(
        row.getString("id"),
        row.getInt("position"),
        row.getInt("turn"),
        Message.Role.ofWireName(row.getString("role")),
        row.getString("agent"),
        row.getString("content"),
        read(row.getString("tool_calls")),
        row.getString("call_id"),
        (Integer) row.getObject("tokens"),
        row.getInt("size"),
        Instant.ofEpochMilli(row.getLong("created_at")),
        origin == null ? null : Origin.read(origin));
  }

  private static @Nullable String write(List<ToolRequest> requests) {
    if (requests.isEmpty()) {
      return null;
    }
    ArrayNode array = Json.array();
    for (ToolRequest request : requests) {
      array
          .addObject()
          .put("call_id", request.callId())
          .put("tool", request.tool())
          .put("arguments", request.arguments());
    }
    return Json.write(array);
  }

  private static List<ToolRequest> read(@Nullable String json) {
    if (json == null) {
      return List.of();
    }
    List<ToolRequest> requests = new ArrayList<>();
    for (JsonNode item : Json.parse(json)) {
      requests.add(
          new ToolRequest(
              item.path("call_id").textValue(),
              item.path("tool").textValue(),
              item.path("arguments").textValue()));
    }
    return List.copyOf(requests);
  }
}
