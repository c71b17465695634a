package agentengine.http;

import agentengine.audit.AdminEvent;
import agentengine.audit.AdminLog;
import agentengine.audit.Page;
import agentengine.error.EngineException;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The log of administrative acts. */
final class AuditRoutes {
  private static final int DEFAULT_PER_PAGE = 50;
  private static final int MAX_PER_PAGE = 100;
  private static final int MAX_PAGE = 999_999_999;

  private final AdminLog adminLog;

  AuditRoutes(AdminLog adminLog) {
    this.adminLog = adminLog;
  }

  List<Route> routes() {
    return List.of(Route.get("/api/v1/audit/events", Access.scopes(), this::events));
  }

  private void events(Exchange exchange) {
    int page = exchange.positiveQuery("page", 1);
    if (page > MAX_PAGE) {
      throw EngineException.invalid("page", "must be at most " + MAX_PAGE);
    }
    int perPage = Math.min(exchange.positiveQuery("per_page", DEFAULT_PER_PAGE), MAX_PER_PAGE);
    Page<AdminEvent> events = adminLog.list(page, perPage);
    ObjectNode body = Json.object();
    ArrayNode data = body.putArray("data");
    for (AdminEvent event : events.data()) {
      ObjectNode item = data.addObject();
      item.put("id", event.id());
      item.put("actor", event.actor());
      item.put("action", event.action());
      item.put("target", event.target());
      item.set("details", event.details());
      item.put("created_at", event.createdAt().toString());
    }
    body.put("total", events.total());
    body.put("page", events.page());
    body.put("per_page", events.perPage());
    body.put("total_pages", events.totalPages());
    exchange.ok(body);
  }
}
