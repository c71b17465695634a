package agentengine.http;

import agentengine.auth.Scope;
import agentengine.json.Json;
import agentengine.tool.DeclaredTool;
import agentengine.tool.Tools;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Declared tools; the secrets in their headers go in and never come out. */
final class ToolRoutes {
  private final Tools tools;

  ToolRoutes(Tools tools) {
    this.tools = tools;
  }

  List<Route> routes() {
    Access read = Access.scopes(Scope.AGENTS_READ);
    Access write = Access.scopes(Scope.AGENTS_WRITE);
    return List.of(
        Route.get("/api/v1/tools", read, this::list),
        Route.post("/api/v1/tools", write, this::create),
        Route.get("/api/v1/tools/{name}", read, this::get),
        Route.put("/api/v1/tools/{name}", write, this::update),
        Route.delete("/api/v1/tools/{name}", write, this::delete));
  }

  private void list(Exchange exchange) {
    ArrayNode list = Json.array();
    tools.list().forEach(tool -> list.add(json(tool)));
    exchange.ok(list);
  }

  private void get(Exchange exchange) {
    exchange.ok(json(tools.get(exchange.parameter("name"))));
  }

  private void create(Exchange exchange) {
    DeclaredTool tool = tools.create(exchange.caller().id(), exchange.body());
    exchange.created("/api/v1/tools/" + tool.spec().name(), json(tool));
  }

  private void update(Exchange exchange) {
    exchange.ok(
        json(tools.update(exchange.caller().id(), exchange.parameter("name"), exchange.body())));
  }

  private void delete(Exchange exchange) {
    tools.delete(exchange.caller().id(), exchange.parameter("name"));
    exchange.noContent();
  }

  private static ObjectNode json(DeclaredTool tool) {
    return tool.spec()
        .toJson()
        .put("created_at", tool.createdAt().toString())
        .put("updated_at", tool.updatedAt().toString());
  }
}
