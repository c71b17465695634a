package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Agents of a test in a shared engine, a schema to talk to the first of them, and its answers. */
final class Scene {
  private final ApiClient client;
  private final String schema = TestEngine.freshName();

  Scene(ApiClient client) {
    this.client = client;
  }

  /** Makes an agent on the simulator; its name. */
  String agent(Consumer<ObjectNode> fields) {
    ObjectNode agent = Json.object().put("name", TestEngine.freshName()).put("model", "sim");
    fields.accept(agent);
    return client.post("/api/v1/agents", agent).expect(201).path("name").textValue();
  }

  /** An agent with these tools. */
  String agentWith(String... tools) {
    return agent(fields -> fields.set("tools", Json.array(List.of(tools))));
  }

  /** Opens the schema on an agent. */
  Scene open(String agent) {
    client
        .post(
            "/api/v1/schemas",
            Json.object().put("name", schema).put("entry_agent", agent).put("chat_enabled", true))
        .expect(201);
    return this;
  }

  String schema() {
    return schema;
  }

  EventStream chat(String message) {
    return client.chat(schema, message);
  }

  EventStream chat(String message, String sessionId) {
    return client.chat(schema, message, sessionId);
  }

  /** The whole answer as one body. */
  JsonNode ask(String message) {
    return client
        .post(
            "/api/v1/schemas/" + schema + "/chat",
            Json.object().put("message", message).put("stream", false))
        .expect(200);
  }

  JsonNode session(String id) {
    return client.get("/api/v1/sessions/" + id).expect(200);
  }

  void respond(String sessionId, String callId, String answer) {
    ObjectNode body = Json.object().put("call_id", callId);
    body.putArray("answers").add(answer);
    assertThat(client.post("/api/v1/sessions/" + sessionId + "/respond", body).expect(200))
        .isEqualTo(Json.object().put("status", "ok").put("call_id", callId));
  }

  /** The names of durable events, in their order. */
  static List<String> durable(List<EventStream.Event> events) {
    return events.stream()
        .map(EventStream.Event::name)
        .filter(name -> !name.equals("message_delta") && !name.equals("thinking"))
        .toList();
  }

  static EventStream.Event of(List<EventStream.Event> events, String name) {
    return events.stream().filter(event -> event.name().equals(name)).findFirst().orElseThrow();
  }

  static Map<String, String> header(String name, String value) {
    return Map.of("Content-Type", "application/json", name, value);
  }
}
