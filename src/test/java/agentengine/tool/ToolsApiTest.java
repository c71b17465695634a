package agentengine.tool;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.http.AuditLog;
import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ToolsApiTest {
  private static final String TOOLS = "/api/v1/tools";

  private final ApiClient client;
  private final String name = TestEngine.freshName().replace('-', '_');
  private final String path = TOOLS + "/" + name;

  ToolsApiTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
  }

  @Test
  void the_smallest_tool_has_the_documented_defaults() {
    Answer answer = client.post(TOOLS, tool());

    assertThat(answer.header("Location")).isEqualTo(path);
    ObjectNode created = answer.expect(201).deepCopy();
    assertThat(client.get(path).expect(200)).isEqualTo(created);
    assertThat(client.get(TOOLS).expect(200)).contains(created);
    created.remove(List.of("created_at", "updated_at"));
    assertThat(created)
        .isEqualTo(
            json(
                """
                {'name': '%s', 'description': '', 'method': 'GET', 'url': 'https://shop.example/',
                 'headers': {}, 'parameters': {'type': 'object'}, 'timeout': null,
                 'effect': 'unsafe', 'confirm_before': false}
                """
                    .formatted(name)));
  }

  @Test
  void everything_that_can_be_said_of_a_tool_is_kept() {
    ObjectNode body = full();

    ObjectNode created = client.post(TOOLS, body).expect(201).deepCopy();

    created.remove(List.of("created_at", "updated_at"));
    assertThat(created).isEqualTo(body);
  }

  @Test
  void an_update_changes_what_it_names_and_nothing_else() {
    ObjectNode expected = client.post(TOOLS, full()).expect(201).deepCopy();

    JsonNode updated =
        client.put(path, Json.object().put("name", name).put("timeout", "1m30s")).expect(200);

    expected.put("timeout", "1m30s").set("updated_at", updated.path("updated_at"));
    assertThat(updated).isEqualTo(expected);
    assertThat(client.get(path).expect(200)).isEqualTo(expected);
  }

  @Test
  void null_sets_a_field_back_to_its_default() {
    ObjectNode smallest = client.post(TOOLS, tool()).expect(201).deepCopy();
    client.delete(path).expect(204);
    client.post(TOOLS, full()).expect(201);
    ObjectNode allNull = Json.object().put("url", "https://shop.example/");
    List.of("description", "method", "headers", "parameters", "timeout", "effect", "confirm_before")
        .forEach(allNull::putNull);

    ObjectNode reset = client.put(path, allNull).expect(200).deepCopy();

    List<String> times = List.of("created_at", "updated_at");
    assertThat(reset.remove(times)).isEqualTo(smallest.remove(times));
    assertUpdateRefused(Json.object().putNull("url"), "url");
  }

  @Test
  void a_name_has_a_form_that_every_provider_takes_and_is_nobody_elses() {
    for (String bad :
        List.of(
            "",
            "A",
            "a-b",
            "a b",
            "1a",
            "_a",
            "a__b",
            "ä",
            "a.b",
            "x".repeat(65),
            "spawn_",
            "spawn_helper",
            "current_time",
            "show_structured_output",
            "knowledge_search",
            "ask_user",
            "create_task")) {
      assertRefused(tool().put("name", bad), "name");
    }
    String longest = (name + "_" + "x".repeat(64)).substring(0, 64);
    client.post(TOOLS, tool().put("name", longest)).expect(201);
    client.delete(TOOLS + "/" + longest).expect(204);
    client.post(TOOLS, tool()).expect(201);
    assertUpdateRefused(Json.object().put("name", "lookup"), "name");
    assertThat(client.post(TOOLS, tool()).error(409)).isEqualTo("conflict");
  }

  @Test
  void an_address_takes_arguments_only_where_they_cannot_change_the_host() {
    for (String url :
        List.of(
            "",
            "shop.example",
            "/status",
            "ftp://shop.example/",
            "file:///etc/passwd",
            "http://",
            "http:///status",
            "https://me:secret@shop.example/",
            "https://shop.example/#part",
            "https://shop.example:99999/",
            "https://shop .example/",
            "https://{id}/",
            "https://{id}.example/",
            "https://shop.example:{id}/",
            "https://shop.example{id}/",
            "https://shop.example@{id}/",
            "{id}://shop.example/",
            "https://shop.example/{",
            "https://shop.example/{}",
            "https://shop.example/{a b}",
            "https://shop.example/{unknown}",
            "https://shop.example/a/../b",
            "https://shop.example/%2E%2e/b",
            "https://shop.example/" + "x".repeat(2_000))) {
      assertRefused(withArgument("id").put("url", url), "url");
    }
    for (String url :
        List.of(
            "http://localhost:8000",
            "http://[::1]:8000/{id}",
            "https://shop.example?q={id}",
            "https://shop.example/a/{id}.json?x={id}&y=%20")) {
      client.post(TOOLS, withArgument("id").put("url", url)).expect(201);
      client.delete(path).expect(204);
    }
  }

  @Test
  void an_argument_of_the_address_must_stay_one_of_the_parameters() {
    client.post(TOOLS, withArgument("id").put("url", "https://shop.example/{id}")).expect(201);

    assertUpdateRefused(json("{'parameters': {'type': 'object'}}"), "url");
  }

  @Test
  void parameters_are_a_json_schema_of_an_object() {
    for (String parameters :
        List.of(
            "{'type': 'array'}",
            "{'type': 'object', 'properties': 5}",
            "{'properties': {'a': {'type': 'words'}}}",
            "{'properties': {'a': {'$ref': 'http://127.0.0.1/schema'}}}",
            "{'$schema': 'https://example.org/mine'}")) {
      ObjectNode body = tool();
      body.set("parameters", json(parameters));
      assertRefused(body, "parameters");
    }
    ObjectNode body = tool();
    body.set("parameters", json("{'properties': {'a': {'type': 'string'}}}"));
    assertThat(client.post(TOOLS, body).expect(201).path("parameters"))
        .isEqualTo(json("{'type': 'object', 'properties': {'a': {'type': 'string'}}}"));
  }

  @Test
  void other_fields_have_their_limits() {
    for (String method : List.of("HEAD", "get", "CONNECT", "")) {
      assertRefused(tool().put("method", method), "method");
    }
    for (String effect : List.of("safe", "READ_ONLY", "")) {
      assertRefused(tool().put("effect", effect), "effect");
    }
    for (String timeout : List.of("", "soon", "0s", "-1s", "10m1ms", "11m", "1")) {
      assertRefused(tool().put("timeout", timeout), "timeout");
    }
    assertRefused(Json.object(), "name", "url");
    assertRefused(
        tool().put("confirm_before", "yes").put("colour", "blue"), "confirm_before", "colour");
    client.post(TOOLS, tool().put("timeout", "10m").put("method", "PATCH")).expect(201);
  }

  @Test
  void an_agent_may_have_a_declared_tool_which_then_cannot_be_deleted() {
    client.post(TOOLS, tool()).expect(201);
    ObjectNode agent =
        Json.object().put("name", name.replace('_', '-') + "-user").put("model", "sim");
    agent.putArray("tools").add(name).add("current_time");
    agent.putArray("confirm_before").add(name);
    client.post("/api/v1/agents", agent).expect(201);

    Answer refusal = client.delete(path);
    assertThat(refusal.error(409)).isEqualTo("conflict");
    assertThat(refusal.text()).contains(agent.path("name").textValue());
    client.delete("/api/v1/agents/" + agent.path("name").textValue()).expect(204);
    client.delete(path).expect(204);
    assertThat(client.post("/api/v1/agents", agent).expect(400).path("message").textValue())
        .contains(name);
  }

  @Test
  void what_is_not_there_is_404() {
    for (String missing : List.of(path, TOOLS + "/current_time", TOOLS + "/No-Name")) {
      assertThat(client.get(missing).error(404)).isEqualTo("not_found");
      assertThat(client.put(missing, Json.object()).error(404)).isEqualTo("not_found");
      assertThat(client.delete(missing).error(404)).isEqualTo("not_found");
    }
  }

  @Test
  void reading_and_writing_need_the_scopes_of_agents() {
    ApiClient reader = client.withScopes("agents:read");
    ApiClient writer = client.withScopes("agents:write");

    writer.post(TOOLS, tool()).expect(201);
    reader.get(path).expect(200);
    reader.get(TOOLS).expect(200);
    assertThat(reader.put(path, Json.object()).error(403)).isEqualTo("forbidden");
    assertThat(reader.delete(path).error(403)).isEqualTo("forbidden");
    assertThat(reader.post(TOOLS, tool()).error(403)).isEqualTo("forbidden");
    assertThat(client.withScopes("chat").get(TOOLS).error(403)).isEqualTo("forbidden");
  }

  @Test
  void every_act_is_in_the_audit_log() {
    client.post(TOOLS, tool()).expect(201);
    client.put(path, Json.object()).expect(200);
    client.put(path, Json.object().put("timeout", "never")).expect(400);
    client.delete(path).expect(204);

    assertThat(AuditLog.actions(client, name))
        .containsExactly("tool.deleted", "tool.updated", "tool.created");
  }

  private void assertRefused(ObjectNode body, String... fields) {
    assertNames(client.post(TOOLS, body), body, fields);
  }

  private void assertUpdateRefused(JsonNode body, String... fields) {
    assertNames(client.put(path, body), body, fields);
  }

  private static void assertNames(Answer answer, JsonNode body, String... fields) {
    assertThat(answer.expect(400).path("details").findValuesAsText("field"))
        .as(body.toString())
        .containsExactly(fields);
  }

  private ObjectNode tool() {
    return Json.object().put("name", name).put("url", "https://shop.example/");
  }

  private ObjectNode withArgument(String argument) {
    ObjectNode body = tool();
    body.putObject("parameters").put("type", "object").putObject("properties").putObject(argument);
    return body;
  }

  private ObjectNode full() {
    return (ObjectNode)
        json(
            """
            {'name': '%s', 'description': 'Finds an order 🎉', 'method': 'POST',
             'url': 'https://shop.example:8443/orders/{number}?lang={lang}',
             'headers': {'Authorization': 'Bearer ${PATH}'},
             'parameters': {'type': 'object', 'required': ['number'],
               'properties': {'number': {'type': 'string'}, 'lang': {'enum': ['en', 'fr']}}},
             'timeout': '10s', 'effect': 'idempotent', 'confirm_before': true}
            """
                .formatted(name));
  }

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }
}
