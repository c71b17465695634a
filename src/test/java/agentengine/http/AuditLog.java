package agentengine.http;

import agentengine.testing.ApiClient;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Reads the log of administrative acts. */
public final class AuditLog {
  private AuditLog() {}

  /** What was done of late to this target, newest first. */
  public static List<JsonNode> of(ApiClient client, String target) {
    List<JsonNode> events = new ArrayList<>();
    for (JsonNode event :
        client.get("/api/v1/audit/events?per_page=100").expect(200).path("data")) {
      if (event.path("target").textValue().equals(target)) {
        events.add(event);
      }
    }
    return events;
  }

  /** The names of what was done to this target, newest first. */
  public static List<String> actions(ApiClient client, String target) {
    return of(client, target).stream().map(event -> event.path("action").textValue()).toList();
  }
}
