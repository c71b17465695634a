package agentengine.http;

import agentengine.audit.AdminEvent;
import agentengine.audit.AdminLog;
import agentengine.audit.AuditedCall;
import agentengine.audit.Page;
import agentengine.audit.ToolCallLog;
import agentengine.audit.ToolCallRecord;
import agentengine.audit.ToolLedger;
import agentengine.error.EngineException;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The audit log: what tools did, and administrative acts. */
final class AuditRoutes {
  private static final int DEFAULT_PER_PAGE = 50;
  private static final int MAX_PER_PAGE = 100;
  private static final int MAX_PAGE = 999_999_999;

  private final AdminLog adminLog;
  private final ToolCallLog toolCalls;

  AuditRoutes(AdminLog adminLog, ToolCallLog toolCalls) {
    this.adminLog = adminLog;
    this.toolCalls = toolCalls;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/audit/tool-calls", Access.scopes(), this::toolCalls),
        Route.get("/api/v1/audit/events", Access.scopes(), this::events));
  }

  private void toolCalls(Exchange exchange) {
    ToolCallLog.Filter filter =
        new ToolCallLog.Filter(
            exchange.query("session_id"),
            exchange.query("agent"),
            exchange.query("tool"),
            status(exchange.query("status")),
            exchange.query("user_id"),
            QueryTime.from(exchange, "from"),
            QueryTime.to(exchange, "to"));
    send(exchange, toolCalls.list(filter, page(exchange), perPage(exchange)), AuditRoutes::json);
  }

  private static ToolLedger.@Nullable Status status(@Nullable String name) {
    return switch (name) {
      case null -> null;
      case "completed" -> ToolLedger.Status.COMPLETED;
      case "failed" -> ToolLedger.Status.FAILED;
      default -> throw EngineException.invalid("status", "must be completed or failed");
    };
  }

  private static JsonNode json(AuditedCall entry) {
    ToolCallRecord call = entry.call();
    return Json.object()
        .put("id", entry.number())
        .put("call_id", call.callId())
        .put("session_id", call.sessionId())
        .put("path", call.path())
        .put("agent_name", call.agent())
        .put("tool_name", call.tool())
        .put("input", call.input())
        .put("output", call.output())
        .put("status", call.status())
        .put("duration_ms", call.durationMs())
        .put("user_id", call.userId())
        .put("created_at", call.createdAt().toString())
        .put("hash", entry.hash());
  }

  private void events(Exchange exchange) {
    send(exchange, adminLog.list(page(exchange), perPage(exchange)), AuditRoutes::json);
  }

  private static JsonNode json(AdminEvent event) {
    ObjectNode item = Json.object();
    item.put("id", event.id());
    item.put("actor", event.actor());
    item.put("action", event.action());
    item.put("target", event.target());
    item.set("details", event.details());
    item.put("created_at", event.createdAt().toString());
    return item;
  }

  private static int page(Exchange exchange) {
    int page = exchange.positiveQuery("page", 1);
    if (page > MAX_PAGE) {
      throw EngineException.invalid("page", "must be at most " + MAX_PAGE);
    }
    return page;
  }

  private static int perPage(Exchange exchange) {
    return Math.min(exchange.positiveQuery("per_page", DEFAULT_PER_PAGE), MAX_PER_PAGE);
  }

  private static <T> void send(Exchange exchange, Page<T> page, Function<T, JsonNode> json) {
    ObjectNode body = Json.object();
    ArrayNode data = body.putArray("data");
    page.data().forEach(item -> data.add(json.apply(item)));
    body.put("total", page.total());
    body.put("page", page.page());
    body.put("per_page", page.perPage());
    body.put("total_pages", page.totalPages());
    exchange.ok(body);
  }
}
