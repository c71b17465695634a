package agentengine.http;

import agentengine.auth.Scope;
import agentengine.config.Applied;
import agentengine.config.Configuration;
import agentengine.config.ConfigurationException;
import agentengine.config.ConfigurationFile;
import agentengine.error.EngineException;
import agentengine.error.FieldError;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.Status;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** The configuration document: reload, export, import, and the schema that editors want. */
final class ConfigRoutes {
  /** Enough to mend a document, and no way to make a small one into a large answer. */
  private static final int MAX_DETAILS = 200;

  private final Configuration configuration;
  private final ConfigurationFile file;

  ConfigRoutes(Configuration configuration, ConfigurationFile file) {
    this.configuration = configuration;
    this.file = file;
  }

  List<Route> routes() {
    Access config = Access.scopes(Scope.CONFIG);
    return List.of(
        Route.post("/api/v1/config/reload", config, this::reload),
        Route.get("/api/v1/config/export", config, this::export),
        Route.post("/api/v1/config/import", config, this::merge),
        Route.get("/api/v1/config/schema", Access.PUBLIC, ConfigRoutes::schema));
  }

  private void reload(Exchange exchange) {
    Applied applied = applied(() -> file.reload(exchange.caller().id()));
    ObjectNode answer = Json.object().put("status", "ok");
    answer.put("agents_loaded", applied.count("agent"));
    answer.put("models_loaded", applied.count("model"));
    ArrayNode leftAlone = answer.putArray("left_alone");
    for (Applied.Named each : applied.leftAlone()) {
      leftAlone.addObject().put("kind", each.kind()).put("name", each.name());
    }
    exchange.ok(answer);
  }

  private void export(Exchange exchange) {
    exchange.send(
        Status.OK_200,
        "application/x-yaml",
        configuration.export().getBytes(StandardCharsets.UTF_8));
  }

  private void merge(Exchange exchange) {
    String actor = exchange.caller().id();
    boolean dryRun = exchange.booleanQuery("dry_run", false);
    byte[] document = exchange.yamlBody();
    Applied applied =
        applied(
            () ->
                dryRun
                    ? configuration.tryMerge(actor, document)
                    : configuration.merge(actor, document));
    ObjectNode answer = Json.object().put("status", dryRun ? "dry_run" : "ok");
    answer.put("agents_imported", applied.count("agent"));
    answer.put("models_imported", applied.count("model"));
    answer.put("tools_imported", applied.count("tool"));
    if (dryRun) {
      ArrayNode changes = answer.putArray("changes");
      for (Applied.Change change : applied.changes()) {
        changes
            .addObject()
            .put("kind", change.kind())
            .put("name", change.name())
            .put("action", change.action().wireName());
      }
    }
    exchange.ok(answer);
  }

  private static Applied applied(Supplier<Applied> work) {
    try {
      return work.get();
    } catch (ConfigurationException e) {
      throw EngineException.invalid(details(e.problems()));
    }
  }

  private static List<FieldError> details(List<ConfigurationException.Problem> problems) {
    List<FieldError> details = new ArrayList<>();
    for (ConfigurationException.Problem problem : problems) {
      if (details.size() == MAX_DETAILS) {
        details.add(
            new FieldError("", "and " + (problems.size() - MAX_DETAILS) + " problems more"));
        break;
      }
      details.add(
          new FieldError(
              problem.path(),
              "line "
                  + problem.line()
                  + ", column "
                  + problem.column()
                  + ": "
                  + problem.message()));
    }
    return details;
  }

  private static void schema(Exchange exchange) {
    exchange.send(Status.OK_200, "application/schema+json", Resource.bytes("/config-schema.json"));
  }
}
