package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ModelsApiTest {
  private static final String MODELS = "/api/v1/models";

  private final TestEngine engine;
  private final ApiClient client;
  private final String name = TestEngine.freshName();
  private final String path = MODELS + "/" + name;

  ModelsApiTest(TestDatabases.Kind kind) {
    engine = TestEngine.shared(kind);
    client = engine.admin();
  }

  @Test
  void a_new_model_can_be_read_and_listed() {
    Answer answer = client.post(MODELS, model("openai_compatible", "https://models.example/v1"));

    JsonNode created = answer.expect(201);
    assertThat(answer.header("Location")).isEqualTo(path);
    assertThat(created.path("name").textValue()).isEqualTo(name);
    assertThat(created.path("type").textValue()).isEqualTo("openai_compatible");
    assertThat(created.path("base_url").textValue()).isEqualTo("https://models.example/v1");
    assertThat(created.path("model_name").textValue()).isEqualTo("a-model");
    assertThat(created.path("has_api_key").booleanValue()).isFalse();
    assertThat(client.get(path).expect(200)).isEqualTo(created);
    assertThat(client.get(MODELS).expect(200)).contains(created);
  }

  @Test
  void a_hosted_kind_has_an_address_of_its_own() {
    for (String type :
        List.of(
            "ollama", "anthropic", "google", "openrouter", "deepseek", "mistral", "xai", "zai")) {
      ObjectNode body = model(type, null).put("name", TestEngine.freshName());
      JsonNode created = client.post(MODELS, body).expect(201);
      assertThat(created.path("base_url").textValue()).as(type).startsWith("http");
      assertThat(created.path("type").textValue()).isEqualTo(type);
    }
  }

  @Test
  void a_kind_without_an_address_of_its_own_needs_one() {
    for (String type : List.of("openai_compatible", "azure_openai")) {
      assertRefused(model(type, null), "base_url");
      assertRefused(model(type, ""), "base_url");
      assertRefused(model(type, null).putNull("base_url"), "base_url");
    }
    client.post(MODELS, model("azure_openai", "https://mine.example/")).expect(201);
    assertUpdateRefused(Json.object().putNull("base_url"), "base_url");
    assertUpdateRefused(Json.object().put("base_url", ""), "base_url");
    JsonNode hosted =
        client.put(path, Json.object().put("type", "xai").putNull("base_url")).expect(200);
    assertThat(hosted.path("base_url").textValue()).contains("x.ai");
    assertUpdateRefused(Json.object().put("type", "openai_compatible"), "base_url");
  }

  @Test
  void an_address_that_cannot_be_called_is_refused() {
    for (String url :
        List.of(
            "models.example",
            "//models.example",
            "/v1",
            "ftp://models.example",
            "file:///etc/passwd",
            "javascript:alert(1)",
            "http://",
            "http://:80",
            "https://me:secret@models.example",
            "https://models.example/#part",
            "https://models.example:99999",
            "https://models .example",
            "https://" + "x".repeat(2_000) + ".example")) {
      assertRefused(model("openai_compatible", url), "base_url");
    }
    for (String url :
        List.of("http://[::1]:8000/v1", "http://localhost", "https://a.example/?b=c")) {
      ObjectNode body = model("openai_compatible", url).put("name", TestEngine.freshName());
      assertThat(client.post(MODELS, body).expect(201).path("base_url").textValue()).isEqualTo(url);
    }
  }

  @Test
  void a_key_goes_in_and_never_comes_out() {
    String key = "secret-of-" + name;
    ObjectNode body = model("ollama", null).put("api_key", key);

    Answer created = client.post(MODELS, body);
    Answer updated = client.put(path, Json.object().put("model_name", "another"));

    assertThat(created.expect(201).path("has_api_key").booleanValue()).isTrue();
    assertThat(updated.expect(200).path("has_api_key").booleanValue()).isTrue();
    for (Answer answer :
        List.of(
            created,
            updated,
            client.get(path),
            client.get(MODELS),
            client.get("/api/v1/audit/events"),
            client.post(MODELS, body),
            client.put(path, Json.object().put("api_key", key + " with spaces")))) {
      assertThat(answer.text()).doesNotContain(key);
    }
  }

  @Test
  void a_key_is_changed_by_another_kept_by_an_empty_one_and_removed_by_null() {
    client
        .post(
            MODELS,
            model("openai_compatible", engine.simulator().baseUrl()).put("api_key", "first"))
        .expect(201);
    client.post("/api/v1/agents", Json.object().put("name", name).put("model", name)).expect(201);
    client
        .post(
            "/api/v1/schemas",
            Json.object().put("name", name).put("entry_agent", name).put("chat_enabled", true))
        .expect(201);

    assertThat(keySentAfter(Json.object())).isEqualTo("Bearer first");
    assertThat(keySentAfter(Json.object().put("api_key", ""))).isEqualTo("Bearer first");
    assertThat(keySentAfter(Json.object().put("api_key", "second"))).isEqualTo("Bearer second");
    assertThat(keySentAfter(Json.object().putNull("api_key"))).doesNotContain("second");
    assertThat(client.get(path).expect(200).path("has_api_key").booleanValue()).isFalse();
  }

  private String keySentAfter(ObjectNode change) {
    client.put(path, change).expect(200);
    String mark = TestEngine.freshName();
    client.chat(name, "[[say " + mark + "]]").readAll();
    return engine.simulator().requests().stream()
        .filter(request -> request.body().toString().contains(mark))
        .toList()
        .getLast()
        .header("Authorization");
  }

  @Test
  void an_update_changes_what_it_names_and_nothing_else() {
    JsonNode before = client.post(MODELS, model("ollama", "http://one.example")).expect(201);

    ObjectNode expected = before.deepCopy();
    expected.put("model_name", "another");
    assertThat(client.put(path, Json.object().put("model_name", "another")).expect(200))
        .isEqualTo(expected);
    assertThat(client.put(path, Json.object()).expect(200)).isEqualTo(expected);
    assertThat(client.put(path, Json.object().put("name", name)).expect(200)).isEqualTo(expected);
    assertUpdateRefused(Json.object().put("name", "another-name"), "name");
    assertUpdateRefused(Json.object().putNull("type").putNull("model_name"), "type", "model_name");
    assertThat(client.get(path).expect(200)).isEqualTo(expected);
  }

  @Test
  void a_name_is_a_dns_label_of_at_most_58_characters() {
    for (String bad :
        List.of("", "A", "a_b", "a b", "a.b", "-a", "a-", "-", "ä", "a/b", "x".repeat(59))) {
      assertRefused(model("ollama", null).put("name", bad), "name");
    }
    for (String good : List.of(TestEngine.freshName() + "x".repeat(40), "7-" + name)) {
      String padded = good.substring(0, Math.min(good.length(), 58));
      client.post(MODELS, model("ollama", null).put("name", padded)).expect(201);
    }
  }

  @Test
  void the_name_of_the_registry_is_taken() {
    assertRefused(model("ollama", null).put("name", "registry"), "name");
  }

  @Test
  void what_is_missing_or_unknown_is_named() {
    assertRefused(Json.object(), "name", "type", "model_name");
    assertRefused(model("openai", null), "type");
    assertRefused(model("ollama", null).put("model_name", " "), "model_name");
    assertRefused(model("ollama", null).put("model_name", "x".repeat(201)), "model_name");
    assertRefused(model("ollama", null).put("api_key", "line\nbreak"), "api_key");
    assertRefused(model("ollama", null).put("has_api_key", true), "has_api_key");
    assertThat(client.post(MODELS, model("openai", null)).text()).contains("azure_openai");
  }

  @Test
  void two_models_cannot_have_one_name() {
    client.post(MODELS, model("ollama", null)).expect(201);

    Answer answer = client.post(MODELS, model("xai", null));

    assertThat(answer.error(409)).isEqualTo("conflict");
    assertThat(answer.text()).contains(name);
    assertThat(client.get(path).expect(200).path("type").textValue()).isEqualTo("ollama");
  }

  @Test
  void a_model_that_agents_use_stays_and_the_refusal_names_them() {
    client.post(MODELS, model("ollama", null)).expect(201);
    ObjectNode agent = Json.object().put("name", name + "-a").put("model", name);
    ObjectNode other = Json.object().put("name", name + "-b").put("model", "sim");
    other.putArray("fallback_models").add(name);
    client.post("/api/v1/agents", agent).expect(201);
    client.post("/api/v1/agents", other).expect(201);

    Answer refusal = client.delete(path);
    assertThat(refusal.error(409)).isEqualTo("conflict");
    assertThat(refusal.text()).contains(name + "-a").contains(name + "-b");
    client.delete("/api/v1/agents/" + name + "-a").expect(204);
    assertThat(client.delete(path).error(409)).isEqualTo("conflict");
    client.delete("/api/v1/agents/" + name + "-b").expect(204);
    client.delete(path).expect(204);
    assertThat(client.get(path).error(404)).isEqualTo("not_found");
    assertThat(client.put(path, Json.object()).error(404)).isEqualTo("not_found");
    assertThat(client.delete(path).error(404)).isEqualTo("not_found");
  }

  @Test
  void every_act_is_in_the_audit_log() {
    client.post(MODELS, model("ollama", null).put("api_key", "secret")).expect(201);
    client.put(path, Json.object().put("model_name", "another")).expect(200);
    client.delete(path).expect(204);
    client.delete(path).expect(404);

    assertThat(AuditLog.actions(client, name))
        .containsExactly("model.deleted", "model.updated", "model.created");
    assertThat(AuditLog.of(client, name))
        .extracting(event -> event.at("/details/key_changed").asText())
        .containsExactly("", "false", "true");
  }

  private void assertRefused(ObjectNode body, String... fields) {
    assertNames(client.post(MODELS, body), body, fields);
  }

  private void assertUpdateRefused(ObjectNode body, String... fields) {
    assertNames(client.put(path, body), body, fields);
  }

  private static void assertNames(Answer answer, ObjectNode body, String... fields) {
    assertThat(answer.expect(400).path("details").findValuesAsText("field"))
        .as(body.toString())
        .containsExactly(fields);
  }

  private ObjectNode model(String type, @Nullable String baseUrl) {
    ObjectNode body =
        Json.object().put("name", name).put("type", type).put("model_name", "a-model");
    return baseUrl == null ? body : body.put("base_url", baseUrl);
  }
}
