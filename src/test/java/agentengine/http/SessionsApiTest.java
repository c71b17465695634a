package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class SessionsApiTest {
  private final ApiClient admin;
  private final ApiClient client;

  SessionsApiTest(TestDatabases.Kind kind) {
    admin = TestEngine.shared(kind).admin();
    client = admin.withScopes("chat");
  }

  @Test
  void the_list_has_the_callers_sessions_newest_first() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.addFirst(newSession("help"));
    }

    JsonNode list = client.get("/api/v1/sessions").expect(200).path("sessions");

    assertThat(list.findValuesAsText("id")).isEqualTo(ids);
    assertThat(list.path(0).path("agent").textValue()).isEqualTo("helper");
    assertThat(list.path(0).path("message_count").intValue()).isEqualTo(2);
    assertThat(ids(client, "?limit=2")).isEqualTo(ids.subList(0, 2));
    assertThat(ids(client, "?limit=1")).isEqualTo(ids.subList(0, 1));
    assertThat(ids(admin, "?limit=200")).containsAll(ids);
  }

  @Test
  void the_list_can_be_of_one_agent() {
    String name = TestEngine.freshName();
    admin.post("/api/v1/agents", Json.object().put("name", name).put("model", "sim")).expect(201);
    admin
        .post(
            "/api/v1/schemas",
            Json.object().put("name", name).put("entry_agent", name).put("chat_enabled", true))
        .expect(201);
    String other = newSession("help");
    String own = newSession(name);

    assertThat(ids(client, "?agent=" + name)).containsExactly(own);
    assertThat(ids(client, "?agent=helper")).containsExactly(other);
    assertThat(ids(client, "?agent=nobody")).isEmpty();
    assertThat(ids(client, "?agent=")).containsExactly(own, other);
    assertThat(ids(client.with(admin.token()), "?agent=" + name)).containsExactly(own);
  }

  @Test
  void a_limit_above_the_maximum_means_the_maximum_and_the_answer_says_so() {
    for (String limit : List.of("201", "1000", "99999999999999999999")) {
      Answer answer = client.get("/api/v1/sessions?limit=" + limit);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("X-Limit-Applied")).as(limit).isEqualTo("200");
    }
    for (String limit : List.of("200", "1", "")) {
      Answer answer = client.get("/api/v1/sessions?limit=" + limit);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("X-Limit-Applied")).as(limit).isNull();
    }
  }

  @Test
  void a_session_can_be_read_followed_and_deleted_and_is_then_gone() {
    String id = newSession("help");
    String path = "/api/v1/sessions/" + id;

    JsonNode session = client.get(path).expect(200);
    assertThat(session.path("status").textValue()).isEqualTo("idle");
    assertThat(session.path("schema").textValue()).isEqualTo("help");
    assertThat(session.path("pending")).isEmpty();
    assertThat(session.path("children")).isEmpty();
    assertThat(session.path("messages").findValuesAsText("content")).contains("Hi");
    assertThat(client.attach(id, null).readAll()).isNotEmpty();
    Answer head = client.send("HEAD", path + "/stream", null, Map.of());
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.header("X-Session-Id")).isEqualTo(id);
    client.delete(path).expect(204);
    assertThat(client.get(path).error(404)).isEqualTo("not_found");
    assertThat(client.get(path + "/stream").error(404)).isEqualTo("not_found");
    assertThat(client.post(path + "/cancel", null).error(404)).isEqualTo("not_found");
    assertThat(client.delete(path).error(404)).isEqualTo("not_found");
    assertThat(ids(client, "")).doesNotContain(id);
  }

  private String newSession(String schema) {
    EventStream stream = client.chat(schema, "[[say Hi]]");
    stream.readAll();
    return stream.sessionId();
  }

  private static List<String> ids(ApiClient client, String query) {
    return client
        .get("/api/v1/sessions" + query)
        .expect(200)
        .path("sessions")
        .findValuesAsText("id");
  }
}
