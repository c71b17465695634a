package agentengine.tool;

import static org.assertj.core.api.Assertions.assertThat;

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
class ToolHeadersApiTest {
  private static final String TOOLS = "/api/v1/tools";

  private final ApiClient client;
  private final String name = TestEngine.freshName().replace('-', '_');
  private final String path = TOOLS + "/" + name;

  ToolHeadersApiTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
  }

  @Test
  void a_header_has_a_legal_name_and_value() {
    for (String bad : List.of("", "a b", "a:b", "ä", "a\u0000", "x".repeat(201))) {
      assertHeaderRefused(bad, "value-of-header");
    }
    for (String taken :
        List.of(
            "Host", "content-length", "Transfer-Encoding", "CONNECTION", "idempotency-key", "TE")) {
      assertHeaderRefused(taken, "value-of-header");
    }
    for (String bad : List.of("a\r\nX: b", "a\nb", "a\u0000b", "ä", "***", "x".repeat(8_001))) {
      assertHeaderRefused("X-Key", bad);
    }
    ObjectNode twice = tool();
    twice.putObject("headers").put("X-Key", "a").put("x-key", "b");
    assertRefused(twice, "headers.x-key");
    ObjectNode many = tool();
    ObjectNode headers = many.putObject("headers");
    for (int i = 0; i <= 50; i++) {
      headers.put("X-" + i, "a");
    }
    assertRefused(many, "headers");
    ObjectNode number = tool();
    number.putObject("headers").put("X-Key", 5);
    assertRefused(number, "headers.X-Key");
  }

  @Test
  void a_variable_of_a_header_must_be_set_and_not_be_the_engines_own() {
    assertHeaderRefused("Authorization", "Bearer ${NO_SUCH_VARIABLE_HERE}");
    assertHeaderRefused("X-Key", "a${NO_SUCH_VARIABLE_HERE}b");
    assertHeaderRefused("X-Key", "${ENGINE_MASTER_KEY}");
    ObjectNode body = tool();
    body.putObject("headers").put("X-Key", "${NO_SUCH_VARIABLE_HERE}");
    assertThat(client.post(TOOLS, body).text()).contains("NO_SUCH_VARIABLE_HERE");
  }

  @Test
  void a_secret_goes_in_and_never_comes_out_but_a_reference_does() {
    String secret = "secret-of-" + name;
    ObjectNode body = tool();
    body.putObject("headers")
        .put("Authorization", "Bearer ${PATH}")
        .put("X-Key", secret)
        .put("X-Mixed", secret + "${PATH}")
        .put("X-Path", "${PATH}");

    Answer created = client.post(TOOLS, body);
    Answer updated = client.put(path, Json.object().put("description", "changed"));

    assertThat(created.expect(201).path("headers"))
        .isEqualTo(
            json(
                "{'Authorization': 'Bearer ${PATH}', 'X-Key': '***', 'X-Mixed': '***', 'X-Path':"
                    + " '${PATH}'}"));
    assertThat(updated.expect(200).path("headers")).isEqualTo(created.json().path("headers"));
    ObjectNode refused = Json.object();
    refused.putObject("headers").put("X-Key", secret + "\n").put("Host", secret);
    for (Answer answer :
        List.of(
            created,
            updated,
            client.get(path),
            client.get(TOOLS),
            client.get("/api/v1/audit/events"),
            client.post(TOOLS, body),
            client.put(path, refused))) {
      assertThat(answer.text()).doesNotContain("secret-of").doesNotContain(System.getenv("PATH"));
    }
  }

  @Test
  void what_was_read_can_be_sent_back_and_a_hidden_header_keeps_its_value() {
    ObjectNode body = tool();
    body.putObject("headers").put("X-Key", "the-first-key").put("X-Other", "the-other-key");
    ObjectNode read = client.post(TOOLS, body).expect(201).deepCopy();
    read.remove(List.of("created_at", "updated_at"));

    assertThat(client.put(path, read).expect(200).path("headers"))
        .isEqualTo(json("{'X-Key': '***', 'X-Other': '***'}"));
    assertThat(client.put(path, json("{'headers': {'x-key': '***'}}")).expect(200).path("headers"))
        .isEqualTo(json("{'x-key': '***'}"));
    assertUpdateRefused(json("{'headers': {'X-Other': '***'}}"), "headers.X-Other");
    assertThat(client.put(path, json("{'headers': {}}")).expect(200).path("headers"))
        .isEqualTo(Json.object());
    assertUpdateRefused(json("{'headers': {'X-Key': '***'}}"), "headers.X-Key");
  }

  private void assertHeaderRefused(String header, String value) {
    ObjectNode body = tool();
    body.putObject("headers").put(header, value);
    Answer answer = client.post(TOOLS, body);
    assertThat(answer.expect(400).path("details").findValuesAsText("field"))
        .as(body.toString())
        .allMatch(field -> field.startsWith("headers"));
    assertThat(answer.text()).doesNotContain("value-of-header");
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

  private static JsonNode json(String text) {
    return Json.parse(text.replace('\'', '"'));
  }
}
