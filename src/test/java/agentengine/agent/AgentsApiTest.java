package agentengine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.http.AuditLog;
import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class AgentsApiTest {
  private static final String AGENTS = "/api/v1/agents";

  private final ApiClient client;
  private final String name = TestEngine.freshName();
  private final String path = AGENTS + "/" + name;

  AgentsApiTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
  }

  @Test
  void the_smallest_agent_has_the_documented_defaults() {
    Answer answer = client.post(AGENTS, agent());

    assertThat(answer.header("Location")).isEqualTo(path);
    ObjectNode created = answer.expect(201).deepCopy();
    assertThat(client.get(path).expect(200)).isEqualTo(created);
    created.remove(List.of("created_at", "updated_at"));
    assertThat(created)
        .isEqualTo(
            Json.parse(
                """
                {"name": "%s", "model": "sim", "description": "", "system": "",
                 "fallback_models": [], "lifecycle": "persistent", "tools": [],
                 "mcp_servers": [], "knowledge": [], "can_spawn": [], "confirm_before": [],
                 "temperature": null, "top_p": null, "max_tokens": null,
                 "max_steps": 50, "max_context_size": 64000}
                """
                    .formatted(name)));
  }

  @Test
  void everything_that_can_be_said_of_an_agent_is_kept() {
    ObjectNode body = full();

    ObjectNode created = client.post(AGENTS, body).expect(201).deepCopy();

    created.remove(List.of("created_at", "updated_at"));
    assertThat(created).isEqualTo(body);
  }

  @Test
  void the_list_has_a_short_line_for_each_agent() {
    client.post(AGENTS, full()).expect(201);

    assertThat(client.get(AGENTS).expect(200))
        .contains(
            Json.object()
                .put("name", name)
                .put("model", "sim")
                .put("lifecycle", "spawn")
                .put("tools_count", 2)
                .put("has_knowledge", false));
  }

  @Test
  void an_update_changes_what_it_names_and_nothing_else() {
    ObjectNode expected = client.post(AGENTS, full()).expect(201).deepCopy();

    ObjectNode updated =
        client
            .put(path, Json.object().put("system", "Be brief.").put("max_steps", 7))
            .expect(200)
            .deepCopy();

    assertThat(updated.path("updated_at").textValue())
        .isGreaterThanOrEqualTo(expected.path("updated_at").textValue());
    expected.put("system", "Be brief.").put("max_steps", 7);
    expected.set("updated_at", updated.path("updated_at"));
    assertThat(updated).isEqualTo(expected);
    assertThat(client.get(path).expect(200)).isEqualTo(expected);
  }

  @Test
  void null_sets_a_field_back_to_its_default() {
    ObjectNode smallest = client.post(AGENTS, agent()).expect(201).deepCopy();
    client.delete(path).expect(204);
    client.post(AGENTS, full()).expect(201);
    ObjectNode allNull = Json.object();
    full().fieldNames().forEachRemaining(allNull::putNull);
    allNull.remove(List.of("name", "model"));

    ObjectNode reset = client.put(path, allNull).expect(200).deepCopy();

    List<String> times = List.of("created_at", "updated_at");
    assertThat(reset.remove(times)).isEqualTo(smallest.remove(times));
    assertUpdateRefused(Json.object().putNull("model"), "model");
  }

  @Test
  void a_name_can_be_repeated_but_not_changed() {
    client.post(AGENTS, agent()).expect(201);

    client.put(path, Json.object().put("name", name)).expect(200);
    assertUpdateRefused(Json.object().put("name", "helper"), "name");
    assertUpdateRefused(Json.object().put("name", ""), "name");
  }

  @Test
  void a_name_is_a_dns_label_of_at_most_58_characters() {
    for (String bad : List.of("", "A", "a_b", "a b", "-a", "a-", "ä", "a/b", "x".repeat(59))) {
      assertRefused(agent().put("name", bad), "name");
    }
    String longest = (name + "x".repeat(58)).substring(0, 58);
    client.post(AGENTS, agent().put("name", longest)).expect(201);
    assertThat(client.get(AGENTS + "/" + longest).status()).isEqualTo(200);
  }

  @Test
  void the_ends_of_every_range_are_allowed() {
    client.post(AGENTS, agent()).expect(201);
    for (String change :
        List.of(
            "{'max_steps': 1, 'max_context_size': 1000, 'temperature': 0, 'top_p': 0}",
            "{'max_steps': 500, 'max_context_size': 2000000, 'temperature': 2, 'top_p': 1}",
            "{'max_tokens': 1, 'temperature': 0.70, 'top_p': 1.0, 'lifecycle': 'spawn'}",
            "{'max_tokens': 10000000, 'temperature': 2e0, 'lifecycle': 'persistent'}")) {
      client.put(path, Json.parse(change.replace('\'', '"'))).expect(200);
    }
    client.put(path, Json.object().put("description", "x".repeat(2_000))).expect(200);
    client.put(path, Json.object().put("system", "x".repeat(256 * 1024))).expect(200);
    assertUpdateRefused(Json.object().put("lifecycle", "forever"), "lifecycle");
  }

  @Test
  void what_an_agent_names_must_be_there() {
    assertRefused(Json.object(), "name", "model");
    assertRefused(agent().put("model", "no-model"), "model");
    for (String field :
        List.of("fallback_models", "tools", "mcp_servers", "knowledge", "can_spawn")) {
      ObjectNode body = agent();
      body.putArray(field).add("no-such-thing");
      assertRefused(body, field);
      assertThat(client.post(AGENTS, body).text()).contains("no-such-thing");
    }
    ObjectNode all = agent().put("model", "no-model");
    all.putArray("tools").add("no-tool").add("current_time").add("neither");
    assertRefused(all, "model", "tools", "tools");
  }

  @Test
  void an_agent_may_spawn_itself_and_others() {
    ObjectNode body = agent();
    body.putArray("can_spawn").add("helper").add(name);

    client.post(AGENTS, body).expect(201);
  }

  @Test
  void only_a_tool_that_the_agent_has_can_be_gated() {
    ObjectNode body = full();
    body.putArray("confirm_before").add("current_time").add("spawn_helper");
    client.post(AGENTS, body).expect(201);

    for (String tool : List.of("spawn_" + name, "spawn_nobody", "no_tool", "Current_time", "")) {
      ObjectNode change = Json.object();
      change.putArray("confirm_before").add(tool);
      assertUpdateRefused(change, "confirm_before");
    }
    ObjectNode fewerTools = Json.object();
    fewerTools.putArray("tools").add("show_structured_output");
    assertUpdateRefused(fewerTools, "confirm_before");
    ObjectNode fewerAgents = Json.object();
    fewerAgents.putArray("can_spawn");
    assertUpdateRefused(fewerAgents, "confirm_before");
  }

  @Test
  void of_many_who_create_one_name_at_once_one_succeeds() throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Callable<Integer> create = () -> client.post(AGENTS, agent()).status();
      List<Integer> statuses = new ArrayList<>();
      for (Future<Integer> status : threads.invokeAll(Collections.nCopies(8, create))) {
        statuses.add(status.get());
      }
      assertThat(statuses).containsOnly(201, 409).containsOnlyOnce(201);
    }
    assertThat(client.post(AGENTS, agent()).error(409)).isEqualTo("conflict");
    assertThat(client.post(AGENTS, agent()).text()).contains(name);
  }

  @Test
  void an_agent_that_others_use_stays_and_the_refusal_names_them() {
    client.post(AGENTS, agent()).expect(201);
    ObjectNode other = agent().put("name", name + "-boss");
    other.putArray("can_spawn").add(name);
    client.post(AGENTS, other).expect(201);
    ObjectNode schema = Json.object().put("name", name + "-door").put("entry_agent", "helper");
    schema.putArray("agents").add(name);
    client.post("/api/v1/schemas", schema).expect(201);

    Answer refusal = client.delete(path);
    assertThat(refusal.error(409)).isEqualTo("conflict");
    assertThat(refusal.text()).contains(name + "-boss").contains(name + "-door");
    client.delete("/api/v1/schemas/" + name + "-door").expect(204);
    assertThat(client.delete(path).error(409)).isEqualTo("conflict");
    client.delete(AGENTS + "/" + name + "-boss").expect(204);
    client.delete(path).expect(204);
    assertThat(client.get(path).error(404)).isEqualTo("not_found");
    assertThat(client.put(path, Json.object()).error(404)).isEqualTo("not_found");
    assertThat(client.delete(path).error(404)).isEqualTo("not_found");
  }

  @Test
  void an_agent_that_only_uses_itself_can_go() {
    ObjectNode body = agent();
    body.putArray("can_spawn").add(name);
    client.post(AGENTS, body).expect(201);

    client.delete(path).expect(204);
  }

  @Test
  void every_act_is_in_the_audit_log() {
    ApiClient writer = client.withScopes("agents:write");
    writer.post(AGENTS, agent()).expect(201);
    writer.put(path, Json.object()).expect(200);
    writer.put(path, Json.object().put("max_steps", 0)).expect(400);
    writer.delete(path).expect(204);

    assertThat(AuditLog.actions(client, name))
        .containsExactly("agent.deleted", "agent.updated", "agent.created");
    assertThat(AuditLog.of(client, name))
        .allSatisfy(event -> assertThat(event.path("actor").textValue()).startsWith("token:"));
  }

  private void assertRefused(ObjectNode body, String... fields) {
    assertNames(client.post(AGENTS, body), body, fields);
  }

  private void assertUpdateRefused(JsonNode body, String... fields) {
    assertNames(client.put(path, body), body, fields);
  }

  private static void assertNames(Answer answer, JsonNode body, String... fields) {
    assertThat(answer.expect(400).path("details").findValuesAsText("field"))
        .as(body.toString())
        .containsExactly(fields);
  }

  private ObjectNode agent() {
    return Json.object().put("name", name).put("model", "sim");
  }

  private ObjectNode full() {
    return (ObjectNode)
        Json.parse(
            """
            {"name": "%s", "description": "Helps 🎉", "system": "You\\nhelp.", "model": "sim",
             "fallback_models": ["sim"], "lifecycle": "spawn",
             "tools": ["show_structured_output", "current_time"], "mcp_servers": [],
             "knowledge": [], "can_spawn": ["helper"], "confirm_before": ["current_time"],
             "temperature": 0.5, "top_p": 0.25, "max_tokens": 100, "max_steps": 500,
             "max_context_size": 1000}
            """
                .formatted(name));
  }
}
