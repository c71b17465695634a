package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.secret.Secret;
import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ExportTest {
  private static final Map<String, String> ENVIRONMENT =
      Map.of(
          "KEY", "key-of-the-environment",
          "HOST", "shop.example",
          "TOKEN", "token-one",
          "AGENT", "expert",
          "WINDOW", "60s",
          "LIFE", "persistent");

  /** As an export writes it, so that it comes back as it went in. */
  private static final String DOCUMENT =
      """
      version: 1
      models:
        azure:
          type: azure_openai
          model_name: gpt
          base_url: https://${HOST}/v1
          api_key: ${KEY}
        local:
          type: ollama
          model_name: llama3.2:3b
      tools:
        find_order:
          description: Finds an order.
          method: POST
          url: https://${HOST}/orders/{number}
          headers:
            Authorization: Bearer ${TOKEN}
          parameters:
            type: object
            required:
              - number
            properties:
              number:
                type: string
                description: 'as on the label of ${HOST}: eight digits'
              amount:
                type: number
                maximum: 12.5
          timeout: 10s
          effect: read_only
          confirm_before: true
        ping:
          url: https://shop.example/ping
      agents:
        expert:
          model: local
          lifecycle: ${LIFE}
        helper:
          description: Helps.
          system: |
            You help.

              Be brief, and never say "$${KEY}".
          model: azure
          fallback_models:
            - local
          lifecycle: spawn
          tools:
            - current_time
            - find_order
          can_spawn:
            - ${AGENT}
          confirm_before:
            - find_order
          temperature: 0.5
          top_p: 1
          max_tokens: 1000
          max_steps: 7
          max_context_size: 32000
      schemas:
        help:
          description: '- where help is'
          entry_agent: helper
          agents:
            - ${AGENT}
          chat_enabled: true
        quiet:
          entry_agent: ${AGENT}
      settings:
        limits:
          stall: 7s
          spawn_depth: 2
        model_override:
          enabled: true
          providers:
            - xai
        rate_limit:
          requests: 5
          window: ${WINDOW}
      """;

  private final TestDatabases.Kind kind;
  private final Definitions definitions;

  ExportTest(TestDatabases.Kind kind) {
    this.kind = kind;
    definitions = new Definitions(kind);
    definitions.environment.putAll(ENVIRONMENT);
  }

  @AfterAll
  static void close() {
    Definitions.closeAll();
  }

  @Test
  void an_empty_engine_has_a_document_that_says_so() {
    assertThat(export()).isEqualTo("version: 1\n");
  }

  @Test
  void what_an_export_has_written_comes_back_byte_by_byte() {
    merge(DOCUMENT);

    assertThat(export()).isEqualTo(DOCUMENT);

    merge(DOCUMENT);
    assertThat(export()).isEqualTo(DOCUMENT);
  }

  @Test
  void what_was_made_through_the_api_comes_back_in_an_engine_that_was_empty() {
    String odd = "#not a comment: [\"'{${HOST}} & *é 💡\u0085\u2028 \t";
    definitions.models.create(
        "tester",
        Json.parse(
            """
            {"name": "true", "type": "ollama", "model_name": "1.0", "api_key": "secret-key"}
            """));
    definitions.agents.create(
        "tester",
        Json.object()
            .put("name", "123")
            .put("model", "true")
            .put("system", odd)
            .put("description", "two\r\nlines")
            .put("temperature", 1e-7));
    definitions.tools.create(
        "tester",
        Json.parse(
            """
            {"name": "odd", "url": "https://shop.example/{a}", "headers": {"X-Key": "secret-key"},
             "parameters": {"properties": {"a": {"enum": ["", "null", "~", "yes", "0x1", " x", "x ",
               null, true, 1, 1.0, 1.50, 100.0, 1e3, 1e400, -0.0, 12345678901234567890123]},
               "b": {}, "${HOST}": {"default": [], "const": {}}, "on": {"title": "multi\\nline\\n\\n"}}}}
            """));

    String first = export();
    assertThat(first).doesNotContain("secret-key");
    String tool = Json.write(definitions.tools.get("odd").spec().parameters());
    Definitions empty = new Definitions(kind);
    merge(empty, first);

    assertThat(empty.configuration.export()).isEqualTo(first);
    assertThat(empty.agents.get("123").spec().system()).isEqualTo(odd);
    assertThat(empty.agents.get("123").spec().description()).isEqualTo("two\r\nlines");
    assertThat(empty.models.get("true").modelName()).isEqualTo("1.0");
    assertThat(empty.models.get("true").apiKey()).isNull();
    assertThat(Json.write(empty.tools.get("odd").spec().parameters()).replaceAll("[0-9.E+]", ""))
        .isEqualTo(tool.replaceAll("[0-9.E+]", ""));
  }

  @Test
  void any_text_survives() {
    merge("version: 1\nmodels: {m: {type: ollama, model_name: m}}\n");
    Random random = new Random(7);
    String alphabet = "ab \n\t\r#:-?{}[],&*!|>'\"%@`$\\~0.é\u0085\u00a0\u2028\ufeff\u0007💡";
    int[] characters = alphabet.codePoints().toArray();
    ObjectNode properties = Json.object().put("x".repeat(300), true);
    for (int i = 0; i < 300; i++) {
      StringBuilder text = new StringBuilder();
      for (int j = random.nextInt(12); j >= 0; j--) {
        text.appendCodePoint(characters[random.nextInt(characters.length)]);
      }
      properties.putObject(text.toString()).put("title", text.toString());
      definitions.agents.create(
          "tester",
          Json.object().put("name", "a" + i).put("model", "m").put("system", text.toString()));
    }
    ObjectNode tool = Json.object().put("name", "t").put("url", "https://shop.example/");
    tool.putObject("parameters").set("properties", properties);
    definitions.tools.create("tester", tool);
    Map<String, String> before = systems(definitions);
    String first = export();

    Definitions empty = new Definitions(kind);
    merge(empty, first);

    assertThat(systems(empty)).isEqualTo(before);
    assertThat(empty.tools.get("t").spec().parameters().get("properties")).isEqualTo(properties);
    assertThat(empty.configuration.export()).isEqualTo(first);
  }

  @Test
  void secrets_are_left_out_and_a_text_that_is_partly_secret_is_one() {
    merge(
        """
        version: 1
        models:
          one: {type: ollama, model_name: m, api_key: hidden-1}
          two: {type: ollama, model_name: m, api_key: 'hidden-2${KEY}'}
        tools:
          ping: {url: 'https://shop.example/', headers: {X-Key: hidden-3, X-Other: 'a${TOKEN}b'}}
        """);

    assertThat(export()).doesNotContain("hidden").doesNotContain("KEY").doesNotContain("TOKEN");
  }

  @Test
  void a_value_that_was_changed_through_the_api_is_no_reference_any_more() {
    merge(DOCUMENT);

    definitions.models.update(
        "somebody",
        "azure",
        Json.object().put("api_key", "another").put("base_url", "https://other.example/"));
    definitions.agents.update("somebody", "helper", Json.object().put("max_steps", 9));

    assertThat(export())
        .isEqualTo(
            DOCUMENT
                .replace("    api_key: ${KEY}\n", "")
                .replace("base_url: https://${HOST}/v1", "base_url: https://other.example/")
                .replace("max_steps: 7", "max_steps: 9"));
  }

  @Test
  void an_entry_says_anew_how_it_is_written_but_a_secret_that_it_leaves_out_stays() {
    merge(DOCUMENT);

    merge(
        """
        version: 1
        models:
          azure: {type: azure_openai, model_name: gpt, base_url: 'https://shop.example/v1'}
        """);

    assertThat(export())
        .isEqualTo(DOCUMENT.replace("https://${HOST}/v1", "https://shop.example/v1"));
    assertThat(definitions.models.get("azure").apiKey())
        .isEqualTo(new Secret("key-of-the-environment"));
  }

  @Test
  void a_reference_in_the_place_of_its_own_value_is_a_change() {
    String literal =
        DOCUMENT.replace("base_url: https://${HOST}/v1", "base_url: https://shop.example/v1");
    definitions.apply(literal);

    assertThat(definitions.apply(DOCUMENT)).isTrue();
    assertThat(export()).isEqualTo(DOCUMENT);
    assertThat(definitions.apply(DOCUMENT)).isFalse();
  }

  @Test
  void a_start_takes_what_was_imported_from_the_environment_again() {
    merge(DOCUMENT);
    definitions.agents.update("somebody", "helper", Json.object().put("max_steps", 9));
    definitions.environment.put("KEY", "rotated");
    definitions.environment.put("HOST", "new.example");
    definitions.environment.remove("WINDOW");

    definitions.configuration.lookUpReferencesAgain("start");

    assertThat(definitions.models.get("azure").apiKey()).isEqualTo(new Secret("rotated"));
    assertThat(definitions.models.get("azure").baseUrl()).isEqualTo("https://new.example/v1");
    assertThat(definitions.settings.current().rateLimit().requests()).isEqualTo(5);
    assertThat(export()).isEqualTo(DOCUMENT.replace("max_steps: 7", "max_steps: 9"));
    int events = definitions.adminLog.list(1, 100).data().size();
    definitions.configuration.lookUpReferencesAgain("start");
    assertThat(definitions.adminLog.list(1, 100).data()).hasSize(events);
  }

  private static Map<String, String> systems(Definitions definitions) {
    Map<String, String> systems = new TreeMap<>();
    definitions
        .agents
        .list()
        .forEach(
            agent ->
                systems.put(
                    agent.spec().name(), Json.write(TextNode.valueOf(agent.spec().system()))));
    return systems;
  }

  private String export() {
    return definitions.configuration.export();
  }

  private void merge(String text) {
    merge(definitions, text);
  }

  private static void merge(Definitions into, String text) {
    into.environment.putAll(ENVIRONMENT);
    into.configuration.merge("tester", text.getBytes(StandardCharsets.UTF_8));
  }
}
