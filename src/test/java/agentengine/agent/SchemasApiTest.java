package agentengine.agent;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.http.AuditLog;
import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class SchemasApiTest {
  private static final String SCHEMAS = "/api/v1/schemas";

  private final ApiClient client;
  private final String name = TestEngine.freshName();
  private final String other = name + "-other";
  private final String path = SCHEMAS + "/" + name;

  SchemasApiTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
  }

  @BeforeEach
  void anotherAgent() {
    client.post("/api/v1/agents", Json.object().put("name", other).put("model", "sim")).expect(201);
  }

  @Test
  void the_smallest_schema_is_one_agent_with_chat_off() {
    Answer answer = client.post(SCHEMAS, schema());

    assertThat(answer.header("Location")).isEqualTo(path);
    ObjectNode created = answer.expect(201).deepCopy();
    assertThat(client.get(path).expect(200)).isEqualTo(created);
    assertThat(client.get(SCHEMAS).expect(200)).contains(created);
    created.remove("created_at");
    assertThat(created)
        .isEqualTo(
            Json.parse(
                """
                {"name": "%s", "description": "", "entry_agent": "helper",
                 "agents": ["helper"], "chat_enabled": false}
                """
                    .formatted(name)));
    assertThat(chat().error(403)).isEqualTo("chat_disabled");
  }

  @Test
  void the_entry_agent_is_always_one_of_the_agents() {
    JsonNode created = client.post(SCHEMAS, withAgents(schema(), other)).expect(201);
    assertThat(agents(created)).containsExactly("helper", other);

    JsonNode listed = client.put(path, withAgents(Json.object(), other, "helper")).expect(200);
    assertThat(agents(listed)).containsExactlyInAnyOrder("helper", other);
    JsonNode emptied = client.put(path, withAgents(Json.object())).expect(200);
    assertThat(agents(emptied)).containsExactly("helper");
  }

  @Test
  void a_new_entry_agent_takes_the_place_of_the_old_one() {
    client.post(SCHEMAS, schema()).expect(201);

    JsonNode updated = client.put(path, Json.object().put("entry_agent", other)).expect(200);

    assertThat(updated.path("entry_agent").textValue()).isEqualTo(other);
    assertThat(agents(updated)).containsExactly(other);
  }

  @Test
  void an_update_changes_what_it_names_and_null_sets_back_to_the_default() {
    ObjectNode expected =
        client
            .post(SCHEMAS, withAgents(schema().put("description", "Questions"), other))
            .expect(201)
            .deepCopy();

    expected.put("chat_enabled", true);
    assertThat(client.put(path, Json.object().put("chat_enabled", true)).expect(200))
        .isEqualTo(expected);
    assertThat(client.put(path, Json.object()).expect(200)).isEqualTo(expected);
    assertThat(chat().status()).isEqualTo(200);
    JsonNode reset =
        client
            .put(
                path,
                Json.object().putNull("description").putNull("agents").putNull("chat_enabled"))
            .expect(200);
    assertThat(reset.path("description").textValue()).isEmpty();
    assertThat(agents(reset)).containsExactly("helper");
    assertThat(chat().error(403)).isEqualTo("chat_disabled");
    assertUpdateRefused(Json.object().putNull("entry_agent"), "entry_agent");
  }

  @Test
  void a_name_can_be_repeated_but_not_changed() {
    client.post(SCHEMAS, schema()).expect(201);

    client.put(path, Json.object().put("name", name)).expect(200);
    assertUpdateRefused(Json.object().put("name", "help"), "name");
  }

  @Test
  void a_name_is_a_dns_label_of_at_most_58_characters() {
    for (String bad : List.of("", "A", "a_b", "a b", "-a", "a-", "ä", "a/b", "x".repeat(59))) {
      assertRefused(schema().put("name", bad), "name");
    }
    String longest = (name + "x".repeat(58)).substring(0, 58);
    client.post(SCHEMAS, schema().put("name", longest)).expect(201);
  }

  @Test
  void what_a_schema_names_must_be_there() {
    assertRefused(Json.object(), "name", "entry_agent");
    assertRefused(schema().put("entry_agent", "no-agent"), "entry_agent");
    assertRefused(withAgents(schema(), other, "no-agent"), "agents");
    assertThat(client.post(SCHEMAS, withAgents(schema(), "no-agent")).text()).contains("no-agent");
    assertRefused(withAgents(schema(), other, other), "agents[1]");
    assertRefused(schema().put("chat_enabled", "yes"), "chat_enabled");
  }

  @Test
  void two_schemas_cannot_have_one_name() {
    client.post(SCHEMAS, schema()).expect(201);

    Answer answer = client.post(SCHEMAS, schema().put("entry_agent", other));

    assertThat(answer.error(409)).isEqualTo("conflict");
    assertThat(answer.text()).contains(name);
  }

  @Test
  void a_session_outlives_its_schema_but_cannot_go_on() {
    client.post(SCHEMAS, schema().put("chat_enabled", true)).expect(201);
    EventStream stream = client.chat(name, "[[say Hi]]");
    stream.readAll();

    client.delete(path).expect(204);

    assertThat(client.get(path).error(404)).isEqualTo("not_found");
    assertThat(client.put(path, Json.object()).error(404)).isEqualTo("not_found");
    assertThat(client.delete(path).error(404)).isEqualTo("not_found");
    JsonNode session = client.get("/api/v1/sessions/" + stream.sessionId()).expect(200);
    assertThat(session.path("schema").textValue()).isEqualTo(name);
    assertThat(session.path("messages")).hasSize(2);
    ObjectNode next = Json.object().put("message", "On?").put("session_id", stream.sessionId());
    assertThat(client.post(path + "/chat", next).error(404)).isEqualTo("not_found");
  }

  @Test
  void every_act_is_in_the_audit_log() {
    client.post(SCHEMAS, schema()).expect(201);
    client.put(path, Json.object().put("chat_enabled", true)).expect(200);
    client.delete(path).expect(204);

    assertThat(AuditLog.actions(client, name))
        .containsExactly("schema.deleted", "schema.updated", "schema.created");
  }

  private Answer chat() {
    return client.post(
        path + "/chat", Json.object().put("message", "[[say Hi]]").put("stream", false));
  }

  private void assertRefused(ObjectNode body, String... fields) {
    assertNames(client.post(SCHEMAS, body), body, fields);
  }

  private void assertUpdateRefused(ObjectNode body, String... fields) {
    assertNames(client.put(path, body), body, fields);
  }

  private static void assertNames(Answer answer, ObjectNode body, String... fields) {
    assertThat(answer.expect(400).path("details").findValuesAsText("field"))
        .as(body.toString())
        .containsExactly(fields);
  }

  private static List<String> agents(JsonNode schema) {
    return schema.path("agents").valueStream().map(JsonNode::textValue).toList();
  }

  private static ObjectNode withAgents(ObjectNode body, String... agents) {
    body.set("agents", Json.array(List.of(agents)));
    return body;
  }

  private ObjectNode schema() {
    return Json.object().put("name", name).put("entry_agent", "helper");
  }
}
