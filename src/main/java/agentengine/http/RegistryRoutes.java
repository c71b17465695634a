package agentengine.http;

import agentengine.error.EngineException;
import agentengine.json.Json;
import agentengine.model.ModelRegistry;
import agentengine.model.RegistryModel;
import agentengine.model.RegistryProvider;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The catalogue of known models and providers. */
final class RegistryRoutes {
  private final ModelRegistry registry;

  RegistryRoutes(ModelRegistry registry) {
    this.registry = registry;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/api/v1/models/registry", Access.PUBLIC, this::models),
        Route.get("/api/v1/models/registry/providers", Access.PUBLIC, this::providers));
  }

  private void models(Exchange exchange) {
    ModelRegistry.Filter filter =
        new ModelRegistry.Filter(
            exchange.query("provider"),
            tier(exchange.query("tier")),
            flag("supports_tools", exchange.query("supports_tools")));
    ArrayNode list = Json.array();
    registry.models(filter).forEach(model -> list.add(json(model)));
    exchange.ok(list);
  }

  private static @Nullable Integer tier(@Nullable String value) {
    return switch (value) {
      case null -> null;
      case "1", "2", "3" -> Integer.valueOf(value);
      default -> throw EngineException.invalid("tier", "must be 1, 2 or 3");
    };
  }

  private static @Nullable Boolean flag(String name, @Nullable String value) {
    return switch (value) {
      case null -> null;
      case "true" -> true;
      case "false" -> false;
      default -> throw EngineException.invalid(name, "must be true or false");
    };
  }

  private static ObjectNode json(RegistryModel model) {
    return Json.object()
        .put("id", model.id())
        .put("display_name", model.displayName())
        .put("provider", model.provider())
        .put("tier", model.tier())
        .put("context_window", model.contextWindow())
        .put("max_output", model.maxOutput())
        .put("supports_tools", model.supportsTools())
        .put("supports_vision", model.supportsVision())
        .put("pricing_input", model.pricingInput())
        .put("pricing_output", model.pricingOutput())
        .put("description", model.description());
  }

  private void providers(Exchange exchange) {
    ArrayNode list = Json.array();
    registry.providers().forEach(provider -> list.add(json(provider)));
    exchange.ok(list);
  }

  private static ObjectNode json(RegistryProvider provider) {
    return Json.object()
        .put("id", provider.id())
        .put("display_name", provider.displayName())
        .put("type", provider.kind().wireName())
        .put("auth", provider.auth())
        .put("website", provider.website())
        .put("default_base_url", provider.defaultBaseUrl());
  }
}
