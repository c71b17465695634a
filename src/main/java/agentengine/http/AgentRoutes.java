package agentengine.http;

import agentengine.agent.Agent;
import agentengine.agent.AgentSpec;
import agentengine.agent.Agents;
import agentengine.auth.Scope;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Agents. */
final class AgentRoutes {
  private final Agents agents;

  AgentRoutes(Agents agents) {
    this.agents = agents;
  }

  List<Route> routes() {
    Access read = Access.scopes(Scope.AGENTS_READ);
    Access write = Access.scopes(Scope.AGENTS_WRITE);
    return List.of(
        Route.get("/api/v1/agents", read, this::list),
        Route.post("/api/v1/agents", write, this::create),
        Route.get("/api/v1/agents/{name}", read, this::get),
        Route.put("/api/v1/agents/{name}", write, this::update),
        Route.delete("/api/v1/agents/{name}", write, this::delete));
  }

  private void list(Exchange exchange) {
    ArrayNode list = Json.array();
    for (Agent agent : agents.list()) {
      AgentSpec spec = agent.spec();
      list.addObject()
          .put("name", spec.name())
          .put("model", spec.model())
          .put("lifecycle", spec.lifecycle().wireName())
          .put("tools_count", spec.uses().tools().size())
          .put("has_knowledge", !spec.uses().knowledge().isEmpty());
    }
    exchange.ok(list);
  }

  private void get(Exchange exchange) {
    exchange.ok(detail(agents.get(exchange.parameter("name"))));
  }

  private void create(Exchange exchange) {
    Agent agent = agents.create(exchange.caller().id(), exchange.body());
    exchange.created("/api/v1/agents/" + agent.spec().name(), detail(agent));
  }

  private void update(Exchange exchange) {
    exchange.ok(
        detail(agents.update(exchange.caller().id(), exchange.parameter("name"), exchange.body())));
  }

  private void delete(Exchange exchange) {
    agents.delete(exchange.caller().id(), exchange.parameter("name"));
    exchange.noContent();
  }

  private static ObjectNode detail(Agent agent) {
    return agent
        .spec()
        .toJson()
        .put("created_at", agent.createdAt().toString())
        .put("updated_at", agent.updatedAt().toString());
  }
}
