package agentengine.http;

import agentengine.auth.Scope;
import agentengine.json.Json;
import agentengine.model.ModelRecord;
import agentengine.model.ModelVerification;
import agentengine.model.ModelVerifier;
import agentengine.model.Models;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Locale;

/** Model records, and whether they work; a key goes in and never comes out. */
final class ModelRoutes {
  private final Models models;
  private final ModelVerifier verifier;

  ModelRoutes(Models models, ModelVerifier verifier) {
    this.models = models;
    this.verifier = verifier;
  }

  List<Route> routes() {
    Access read = Access.scopes(Scope.MODELS_READ);
    Access write = Access.scopes(Scope.MODELS_WRITE);
    return List.of(
        Route.get("/api/v1/models", read, this::list),
        Route.post("/api/v1/models", write, this::create),
        Route.get("/api/v1/models/{name}", read, this::get),
        Route.put("/api/v1/models/{name}", write, this::update),
        Route.delete("/api/v1/models/{name}", write, this::delete),
        Route.post("/api/v1/models/{name}/verify", write, this::verify));
  }

  private void list(Exchange exchange) {
    ArrayNode list = Json.array();
    models.list().forEach(model -> list.add(json(model)));
    exchange.ok(list);
  }

  private void get(Exchange exchange) {
    exchange.ok(json(models.get(exchange.parameter("name"))));
  }

  private void create(Exchange exchange) {
    ModelRecord model = models.create(exchange.caller().id(), exchange.body());
    exchange.created("/api/v1/models/" + model.name(), json(model));
  }

  private void update(Exchange exchange) {
    exchange.ok(
        json(models.update(exchange.caller().id(), exchange.parameter("name"), exchange.body())));
  }

  private void delete(Exchange exchange) {
    models.delete(exchange.caller().id(), exchange.parameter("name"));
    exchange.noContent();
  }

  private void verify(Exchange exchange) {
    ModelRecord model = models.get(exchange.parameter("name"));
    ModelVerification result = verifier.verify(model);
    exchange.ok(
        Json.object()
            .put("connectivity", result.isReachable() ? "ok" : "error")
            .put("tool_calling", result.toolCalling().name().toLowerCase(Locale.ROOT))
            .put("response_time_ms", result.responseTimeMs())
            .put("model_name", model.modelName())
            .put("provider", model.kind().wireName())
            .put("error", result.error()));
  }

  private static ObjectNode json(ModelRecord model) {
    return Json.object()
        .put("id", model.id())
        .put("name", model.name())
        .put("type", model.kind().wireName())
        .put("base_url", model.baseUrl())
        .put("model_name", model.modelName())
        .put("has_api_key", model.apiKey() != null)
        .put("created_at", model.createdAt().toString());
  }
}
