package agentengine.http;

import agentengine.agent.Schema;
import agentengine.agent.Schemas;
import agentengine.auth.Scope;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Schemas, the entry points that clients talk to. */
final class SchemaRoutes {
  private final Schemas schemas;

  SchemaRoutes(Schemas schemas) {
    this.schemas = schemas;
  }

  List<Route> routes() {
    Access read = Access.scopes(Scope.CHAT, Scope.AGENTS_READ);
    Access write = Access.scopes();
    return List.of(
        Route.get("/api/v1/schemas", read, this::list),
        Route.post("/api/v1/schemas", write, this::create),
        Route.get("/api/v1/schemas/{name}", read, this::get),
        Route.put("/api/v1/schemas/{name}", write, this::update),
        Route.delete("/api/v1/schemas/{name}", write, this::delete));
  }

  private void list(Exchange exchange) {
    ArrayNode list = Json.array();
    schemas.list().forEach(schema -> list.add(json(schema)));
    exchange.ok(list);
  }

  private void get(Exchange exchange) {
    exchange.ok(json(schemas.get(exchange.parameter("name"))));
  }

  private void create(Exchange exchange) {
    Schema schema = schemas.create(exchange.caller().id(), exchange.body());
    exchange.created("/api/v1/schemas/" + schema.spec().name(), json(schema));
  }

  private void update(Exchange exchange) {
    exchange.ok(
        json(schemas.update(exchange.caller().id(), exchange.parameter("name"), exchange.body())));
  }

  private void delete(Exchange exchange) {
    schemas.delete(exchange.caller().id(), exchange.parameter("name"));
    exchange.noContent();
  }

  private static ObjectNode json(Schema schema) {
    return schema.spec().toJson().put("created_at", schema.createdAt().toString());
  }
}
