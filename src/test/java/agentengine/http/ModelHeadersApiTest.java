package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.model.ProviderKind;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that bring a model in a wrong way, or where they may not. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ModelHeadersApiTest {
  private static final String PROVIDER = "X-Model-Provider";
  private static final String KEY = "X-Model-API-Key";
  private static final String NAME = "X-Model-Name";
  private static final String SECRET = "key-of-the-caller";

  private final TestEngine engine = TestEngine.start(TestDatabases.Kind.SQLITE);
  private final ApiClient client = engine.admin();

  @BeforeAll
  void makeAnAgentOnAnotherTypeOfModel() {
    client
        .post(
            "/api/v1/models",
            Json.object()
                .put("name", "llama")
                .put("type", "ollama")
                .put("base_url", "http://127.0.0.1:1")
                .put("model_name", "small"))
        .expect(201);
    client
        .post("/api/v1/agents", Json.object().put("name", "llama-agent").put("model", "llama"))
        .expect(201);
    client
        .post(
            "/api/v1/schemas",
            Json.object()
                .put("name", "llamas")
                .put("entry_agent", "llama-agent")
                .put("chat_enabled", true))
        .expect(201);
  }

  @BeforeEach
  void allowAll() {
    allow(true, ProviderKind.wireNames());
  }

  @AfterEach
  void nothing_is_stored_and_no_model_is_called_when_a_request_is_refused() {
    assertThat(client.get("/api/v1/sessions").expect(200).path("sessions")).isEmpty();
    assertThat(engine.simulator().requests()).isEmpty();
  }

  @AfterAll
  void stop() {
    engine.close();
  }

  @Test
  void a_provider_without_a_key_is_refused() {
    assertRefused(KEY, Map.of(PROVIDER, "openai_compatible"));
    assertRefused(KEY, Map.of(PROVIDER, "openai_compatible", NAME, "large"));
  }

  @Test
  void a_key_without_a_provider_is_refused() {
    assertRefused(PROVIDER, Map.of(KEY, SECRET));
    assertRefused(PROVIDER, Map.of(KEY, SECRET, NAME, "large"));
  }

  @Test
  void a_name_alone_is_refused() {
    assertRefused(PROVIDER, Map.of(NAME, "large"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"openai", "OLLAMA", "ollama, ollama", SECRET})
  void an_unknown_provider_is_refused_with_those_there_are_and_not_repeated(String provider) {
    JsonNode error = assertRefused(PROVIDER, Map.of(PROVIDER, provider, KEY, SECRET));

    assertThat(error.path("message").textValue())
        .contains(ProviderKind.wireNames())
        .doesNotContain("'" + provider);
  }

  @ParameterizedTest
  @ValueSource(strings = {PROVIDER, KEY, NAME})
  void a_blank_value_is_refused(String header) {
    Map<String, String> headers =
        new HashMap<>(Map.of(PROVIDER, "openai_compatible", KEY, SECRET, NAME, "large"));
    headers.put(header, "");

    assertThat(assertRefused(header, headers).path("message").textValue())
        .contains("must not be blank");
  }

  @ParameterizedTest
  @CsvSource({PROVIDER + ", 51", KEY + ", 4001", NAME + ", 201"})
  void a_value_that_is_too_long_is_refused_and_not_repeated(String header, int length) {
    Map<String, String> headers =
        new HashMap<>(Map.of(PROVIDER, "openai_compatible", KEY, SECRET, NAME, "large"));
    headers.put(header, "x".repeat(length));

    assertThat(assertRefused(header, headers).path("message").textValue())
        .contains("at most " + (length - 1))
        .doesNotContain("xx");
  }

  @ParameterizedTest
  @ValueSource(strings = {"two words", "sk-\u00e9", "sk-\ttab"})
  void a_key_that_cannot_be_one_is_refused_and_not_repeated(String key) {
    Answer answer =
        RawHttp.send(
            engine.port(),
            RawHttp.head(
                    "POST",
                    "/api/v1/schemas/help/chat",
                    RawHttp.bearer(client.token()),
                    PROVIDER + ": openai_compatible",
                    KEY + ": " + key,
                    "Content-Type: application/json",
                    "Content-Length: 16")
                + "{\"message\":\"Hi\"}");

    assertThat(answer.error(400)).isEqualTo("invalid_request");
    assertThat(answer.text()).contains(KEY).doesNotContain(key);
  }

  @Test
  void another_type_than_the_agents_needs_a_name_for_the_model() {
    assertRefused(NAME, Map.of(PROVIDER, "mistral", KEY, SECRET));
  }

  @Test
  void a_type_without_an_address_needs_an_agent_with_a_model_of_that_type() {
    for (String provider : List.of("openai_compatible", "azure_openai")) {
      assertRefused(
          PROVIDER, chat("llamas", Map.of(PROVIDER, provider, KEY, SECRET, NAME, "large")));
    }
    assertRefused(PROVIDER, Map.of(PROVIDER, "azure_openai", KEY, SECRET, NAME, "large"));
  }

  @Test
  void it_is_forbidden_until_the_settings_allow_it() {
    Map<String, String> headers = Map.of(PROVIDER, "openai_compatible", KEY, SECRET);
    allow(false, ProviderKind.wireNames());
    assertForbidden(headers);

    allow(true, List.of("ollama", "mistral"));
    assertForbidden(headers);

    allow(true, List.of());
    assertForbidden(headers);
  }

  private void assertForbidden(Map<String, String> headers) {
    Answer answer = chat("help", headers);
    assertThat(answer.error(403)).isEqualTo("model_override_disabled");
    assertThat(answer.json().path("message").textValue())
        .contains("'openai_compatible'", "settings", "model_override.enabled")
        .contains("model_override.providers");
    assertThat(answer.text()).doesNotContain(SECRET);
  }

  private JsonNode assertRefused(String header, Map<String, String> headers) {
    return assertRefused(header, chat("help", headers));
  }

  private static JsonNode assertRefused(String header, Answer answer) {
    assertThat(answer.error(400)).isEqualTo("invalid_request");
    assertThat(answer.json().path("details").findValuesAsText("field")).containsExactly(header);
    assertThat(answer.json().path("message").textValue()).startsWith(header + ": ");
    assertThat(answer.text()).doesNotContain(SECRET);
    return answer.json();
  }

  private Answer chat(String schema, Map<String, String> headers) {
    Map<String, String> all = new HashMap<>(headers);
    all.put("Content-Type", "application/json");
    return client.send(
        "POST",
        "/api/v1/schemas/" + schema + "/chat",
        Json.writeBytes(Json.object().put("message", "[[say Hi]]").put("stream", false)),
        all);
  }

  private void allow(boolean enabled, List<String> providers) {
    ObjectNode settings = Json.object();
    ObjectNode override = settings.putObject("model_override").put("enabled", enabled);
    override.set("providers", Json.array(providers));
    client.put("/api/v1/settings", settings).expect(200);
  }
}
