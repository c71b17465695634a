package agentengine.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.http.ApiDocument.Operation;
import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every operation that takes a body, with every kind of body that it must refuse. */
class BadInputTest {
  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
  private static final int MAX_BODY_BYTES = 1024 * 1024;
  private static final List<Operation> TAKING_BODIES =
      ApiDocument.operations().stream().filter(Operation::hasBody).toList();

  private final ApiClient client = TestEngine.shared(TestDatabases.Kind.SQLITE).admin();
  private final String session = client.chat("help", "[[say Hi]]").sessionId();
  private final String task =
      client
          .post("/api/v1/tasks", Json.object().put("agent", "helper").put("title", "[[say Hi]]"))
          .expect(201)
          .path("id")
          .textValue();
  private List<JsonNode> before = List.of();

  @BeforeEach
  void lookAround() {
    before = definitions();
  }

  @AfterEach
  void nothing_has_changed() {
    assertThat(definitions()).isEqualTo(before);
  }

  @Test
  void what_is_not_one_json_object_is_refused() {
    List<String> bodies =
        List.of(
            "",
            " ",
            "{",
            "}",
            "nonsense",
            "{\"name\"}",
            "{'name': 'x'}",
            "{\"name\": \"x\",}",
            "{\"name\": \"x\" // comment\n}",
            "[]",
            "[{}]",
            "null",
            "true",
            "5",
            "\"text\"",
            "{} x",
            "{}{}",
            "{},",
            "\uFEFF{}",
            "{\"name\": NaN}",
            "{\"name\": 007}",
            "{\"name\": \"a\nb\"}",
            "{\"name\": \"\\x\"}",
            "{\"name\": \"x\", \"name\": \"x\"}",
            "{\"\\ud800\": 1, \"\\ud800\": 2}",
            "[".repeat(10_000) + "]".repeat(10_000),
            "{\"name\":".repeat(10_000) + "1" + "}".repeat(10_000),
            "{\"name\": " + "9".repeat(10_000) + "}",
            "{\"name\": 1e99999999999}",
            "{\"name\": 1e-99999999999}",
            "{\"" + "x".repeat(100_000) + "\": 1}");
    for (Operation operation : TAKING_BODIES) {
      for (String body : bodies) {
        assertRefused(operation, body.getBytes(UTF_8));
      }
    }
  }

  @Test
  void broken_utf8_is_refused() {
    for (Operation operation : TAKING_BODIES) {
      for (String bytes : List.of("\u00ff\u00fe", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00e2")) {
        String body = "{\"name\": \"" + bytes + "\"}";
        assertRefused(operation, body.getBytes(StandardCharsets.ISO_8859_1));
      }
      assertRefused(operation, "{\"name\": \"x\"}".getBytes(StandardCharsets.UTF_16));
    }
  }

  @Test
  void an_unknown_field_is_refused_by_its_name() {
    for (Operation operation : TAKING_BODIES) {
      for (String field : List.of("nonsense", "Name", "", "a\\u0000b", "\\ud800")) {
        assertFieldRefused(operation, Json.parse("\"" + field + "\"").asText(), field, "1");
      }
    }
  }

  @Test
  void an_answer_stays_small_however_many_fields_are_unknown() {
    StringBuilder body = new StringBuilder("{\"a\": 1");
    for (int i = 0; i < 5_000; i++) {
      body.append(",\"x").append(i).append("\":1");
    }
    body.append("}");
    for (Operation operation : TAKING_BODIES) {
      Answer answer = assertRefused(operation, body.toString().getBytes(UTF_8));
      assertThat(answer.body().length).as(operation.toString()).isLessThan(20_000);
    }
  }

  @Test
  void a_value_that_the_document_does_not_allow_is_refused_with_the_name_of_its_field() {
    for (Operation operation : TAKING_BODIES) {
      operation
          .fields()
          .forEach(
              (field, schema) -> {
                for (String value : BadValues.of(schema)) {
                  assertFieldRefused(operation, field, field, value);
                }
              });
    }
  }

  @Test
  void a_number_out_of_all_range_is_refused() {
    for (Operation operation : TAKING_BODIES) {
      for (String field : operation.fields().keySet()) {
        for (String number : List.of("1e400", "-1e400", "1e2147483647", "1e-2147483648")) {
          assertRefused(operation, ("{\"" + field + "\": " + number + "}").getBytes(UTF_8));
        }
      }
    }
  }

  @Test
  void a_body_that_is_too_large_is_refused_as_that() {
    byte[] tooLarge = " ".repeat(MAX_BODY_BYTES + 1).getBytes(UTF_8);
    for (Operation operation : TAKING_BODIES) {
      Answer answer = client.send(operation.method(), existing(operation), tooLarge, JSON);
      assertThat(answer.error(413)).as(operation.toString()).isEqualTo("payload_too_large");
    }
  }

  @Test
  void a_body_of_another_type_is_refused_as_that() {
    List<String> types =
        List.of(
            "text/plain",
            "application/x-www-form-urlencoded",
            "multipart/form-data",
            "application/x-yaml",
            "application/jsonx",
            "application/json; charset=latin1",
            "nonsense",
            ";");
    for (Operation operation : TAKING_BODIES) {
      for (String type : types) {
        Answer answer =
            client.send(
                operation.method(),
                existing(operation),
                "{}".getBytes(UTF_8),
                Map.of("Content-Type", type));
        assertThat(answer.error(415)).as(operation.toString()).isEqualTo("unsupported_media_type");
      }
    }
  }

  @Test
  void the_type_may_be_left_out_and_name_utf8() {
    byte[] body = "{\"nonsense\": 1}".getBytes(UTF_8);
    for (Map<String, String> headers :
        List.of(
            Map.<String, String>of(),
            Map.of("Content-Type", "Application/JSON"),
            Map.of("Content-Type", "application/json;charset=UTF-8"),
            Map.of("Content-Type", "application/json; charset=\"utf-8\""))) {
      assertThat(client.send("POST", "/api/v1/agents", body, headers).status()).isEqualTo(400);
    }
  }

  private void assertFieldRefused(
      Operation operation, String field, String writtenField, String value) {
    String body = "{\"" + writtenField + "\": " + value + "}";
    Answer answer = send(operation, body.getBytes(UTF_8));
    String shown = body.length() > 200 ? body.substring(0, 200) + "…" : body;
    assertThat(answer.status()).as(operation + " with " + shown).isIn(400, 413);
    if (answer.status() == 400) {
      assertThat(answer.json().path("details").findValuesAsText("field"))
          .as(operation + " with " + shown)
          .anyMatch(named -> named.equals(field) || named.startsWith(field + "["));
    }
  }

  private Answer assertRefused(Operation operation, byte[] body) {
    Answer answer = send(operation, body);
    String shown = new String(body, 0, Math.min(body.length, 60), UTF_8);
    assertThat(answer.status()).as(operation + " with " + shown).isEqualTo(400);
    assertThat(answer.error(400)).isEqualTo("invalid_request");
    return answer;
  }

  private Answer send(Operation operation, byte[] body) {
    return client.send(operation.method(), existing(operation), body, JSON);
  }

  /** The operation's path with a name that is there, so that the body is what is wrong. */
  private String existing(Operation operation) {
    return operation
        .template()
        .replace("/agents/{name}", "/agents/helper")
        .replace("/tools/{name}", "/tools/lookup")
        .replace("/models/{name}", "/models/sim")
        .replace("/schemas/{name}", "/schemas/help")
        .replace("/sessions/{id}", "/sessions/" + session)
        .replace("/tasks/{id}", "/tasks/" + task);
  }

  private List<JsonNode> definitions() {
    return List.of(
        client.get("/api/v1/agents").expect(200),
        client.get("/api/v1/agents/helper").expect(200),
        client.get("/api/v1/tools").expect(200),
        client.get("/api/v1/models").expect(200),
        client.get("/api/v1/schemas").expect(200),
        client.get("/api/v1/settings").expect(200));
  }
}
