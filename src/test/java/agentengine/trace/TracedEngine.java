package agentengine.trace;

import agentengine.config.Variable;
import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** An engine that sends its spans to a collector. */
final class TracedEngine implements AutoCloseable {
  static final String COLLECTOR_KEY = "key-of-the-collector";

  private final TestEngine engine;
  private boolean closed;

  TracedEngine(String collectorUrl) {
    engine =
        TestEngine.start(
            TestDatabases.Kind.SQLITE,
            options -> {
              options.put(Variable.OTEL_EXPORTER_OTLP_ENDPOINT, collectorUrl);
              options.put(Variable.OTEL_EXPORTER_OTLP_HEADERS, "x-api-key=" + COLLECTOR_KEY);
              options.put(Variable.OTEL_SERVICE_NAME, "traced");
            });
  }

  ApiClient client() {
    return engine.admin();
  }

  int simulatorPort() {
    return Integer.parseInt(engine.simulator().baseUrl().replaceFirst(".*:(\\d+)/.*", "$1"));
  }

  void restart() {
    engine.restart();
  }

  /** An agent with these fields, and a schema of its name to talk to it. */
  void agent(String name, Map<String, List<String>> lists) {
    ObjectNode agent = Json.object().put("name", name).put("model", "sim");
    lists.forEach((field, values) -> agent.set(field, Json.array(values)));
    client().post("/api/v1/agents", agent).expect(201);
    client()
        .post(
            "/api/v1/schemas",
            Json.object().put("name", name).put("entry_agent", name).put("chat_enabled", true))
        .expect(201);
  }

  JsonNode ask(String schema, String message) {
    return ask(schema, message, Map.of());
  }

  /** The whole answer as one body, with whatever status it has. */
  JsonNode ask(String schema, String message, Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("Content-Type", "application/json");
    return client()
        .send(
            "POST",
            "/api/v1/schemas/" + schema + "/chat",
            Json.writeBytes(Json.object().put("message", message).put("stream", false)),
            all)
        .json();
  }

  /** A second time does nothing. */
  @Override
  public void close() {
    if (!closed) {
      closed = true;
      engine.close();
    }
  }
}
