package agentengine.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Documents that an import must refuse, whole and with a reason that helps. */
@ParameterizedClass
@EnumSource
class BadDocumentTest {
  private static final String IMPORT = "/api/v1/config/import";

  private final ApiClient client;
  private final String before;

  BadDocumentTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
    before = client.get("/api/v1/config/export").text();
  }

  @AfterEach
  void nothing_has_changed() {
    assertThat(client.get("/api/v1/config/export").text()).isEqualTo(before);
  }

  @Test
  void a_bomb_of_aliases_is_refused() {
    StringBuilder bomb = new StringBuilder("version: 1\na0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int i = 1; i < 30; i++) {
      String alias = "*a" + (i - 1);
      bomb.append("a%d: &a%d [%s]\n".formatted(i, i, (alias + ", ").repeat(9) + alias));
    }

    assertThat(details(bomb.toString())).hasSize(1);
    assertThat(details("version: 1\nmodels: &a {x: *a}\n")).hasSize(1);
  }

  @Test
  void ten_megabytes_are_too_large_and_one_is_read() {
    byte[] remark = ("# " + "x".repeat(97) + "\n").repeat(10 * 1024 * 1024 / 100).getBytes(UTF_8);
    assertThat(send(remark).error(413)).isEqualTo("payload_too_large");

    String large = "version: 1\n" + "#\n".repeat(500_000);
    assertThat(send(large.getBytes(UTF_8)).status()).isEqualTo(200);
  }

  @Test
  void a_text_that_is_not_yaml_is_refused_at_its_place() {
    assertThat(details("version: 1\nmodels:\n\tsim: {}\n"))
        .singleElement()
        .asString()
        .startsWith(": line 3, column 1: not valid YAML: ");
    assertThat(details("version: 1\nmodels: {sim: [}\n").getFirst()).contains("line 2, column 16");
    assertThat(details("version: 1\n---\nversion: 1\n")).hasSize(1);
    assertThat(details("version: 1\nmodels: \"a\u0001b\"\n")).hasSize(1);
  }

  @Test
  void bytes_that_are_no_text_are_refused_at_their_place() {
    for (String bytes : List.of("\u00ff", "\u00c0\u0080", "\u00ed\u00a0\u0080", "\u00e2")) {
      byte[] document = ("version: 1\nmodels: " + bytes).getBytes(StandardCharsets.ISO_8859_1);
      assertThat(details(document)).containsExactly(": line 2, column 9: not valid UTF-8");
    }
    assertThat(details("version: 1\n".getBytes(StandardCharsets.UTF_16))).hasSize(1);
  }

  @Test
  void an_empty_document_or_one_of_another_version_is_refused() {
    for (String text : List.of("", " ", "\n", "# nothing\n", "{}", "models: {}")) {
      assertThat(details(text))
          .containsExactly("version: line 1, column 1: is required; this program reads version 1");
    }
    for (String version : List.of("0", "2", "1.5", "'1'", "~x", "[1]", "9999999999999999999999")) {
      assertThat(details("version: " + version + "\n"))
          .containsExactly(
              "version: line 1, column 1: must be 1, the version that this program reads");
    }
    for (String text : List.of("---\n", "text", "5", "[]", "- version: 1", "\"\"")) {
      assertThat(details(text)).hasSize(1);
    }
  }

  @Test
  void keys_that_are_there_twice_or_unknown_are_named() {
    assertThat(details("version: 1\nagents: {}\nagents: {}\nagent: {}\n"))
        .satisfiesExactly(
            twice ->
                assertThat(twice).isEqualTo("agents: line 3, column 1: 'agents' is there twice"),
            unknown ->
                assertThat(unknown)
                    .startsWith("agent: line 4, column 1: is not a field here; known are version"));
    assertThat(details("version: 1\nsettings: {colour: {blue: 1}}\n"))
        .containsExactly(
            "settings.colour: line 2, column 12: is not a field here;"
                + " known are rate_limit, model_override, limits");
  }

  @Test
  void merge_keys_and_tags_are_not_for_this_document() {
    assertThat(
            details(
                """
                version: 1
                models:
                  one: &one {type: ollama, model_name: m}
                  two: {<<: *one, model_name: n}
                """))
        .hasSize(2)
        .last()
        .asString()
        .startsWith("models.two.<<: line 4, column 9: is not a field here");
    for (String value : List.of("!secret x", "!!binary eA==", "!!java.io.File [x]", "!x {}")) {
      assertThat(
              details("version: 1\nagents: {x: {model: sim, system: " + value + "}}\n").getFirst())
          .startsWith("agents.x.system: line 2, column 26: ")
          .contains("tag");
    }
  }

  @Test
  void values_of_a_wrong_type_are_all_named() {
    List<String> fields = new ArrayList<>();
    for (String detail :
        details(
            """
            version: 1
            models:
              a: {type: 1, model_name: [], base_url: {}, api_key: 5}
              b: text
              c:
            tools:
              a: {url: 1, method: 2, headers: [], parameters: x, timeout: 5, effect: 1,
                  confirm_before: 1, description: {}}
            agents:
              a: {model: {}, system: 1, description: [], lifecycle: true, tools: x, can_spawn: {},
                  confirm_before: 1, knowledge: y, mcp_servers: 1, fallback_models: a, max_steps: x,
                  max_context_size: 1.5, temperature: hot, top_p: true, max_tokens: '5'}
            schemas:
              a: {entry_agent: 1, description: 1, agents: a, chat_enabled: 1}
            settings:
              rate_limit: []
              model_override: {enabled: 1, providers: x}
              limits: {turn: 5, concurrent_turns: many, spawn_depth: -1}
            """)) {
      assertThat(detail).containsPattern(": line \\d+, column \\d+: ");
      fields.add(detail.substring(0, detail.indexOf(':')));
    }

    assertThat(fields)
        .contains("models.a.type", "models.a.model_name", "models.a.base_url", "models.a.api_key")
        .contains("models.b", "models.c")
        .contains("tools.a.url", "tools.a.method", "tools.a.headers", "tools.a.parameters")
        .contains("tools.a.timeout", "tools.a.effect", "tools.a.confirm_before")
        .contains("agents.a.model", "agents.a.system", "agents.a.lifecycle", "agents.a.tools")
        .contains("agents.a.max_steps", "agents.a.max_context_size", "agents.a.temperature")
        .contains("agents.a.top_p", "agents.a.max_tokens", "agents.a.fallback_models")
        .contains("schemas.a.entry_agent", "schemas.a.agents", "schemas.a.chat_enabled")
        .contains("settings.rate_limit", "settings.model_override.enabled")
        .contains("settings.model_override.providers", "settings.limits.turn")
        .contains("settings.limits.concurrent_turns", "settings.limits.spawn_depth");
  }

  @Test
  void a_name_that_leads_nowhere_is_told_with_its_place_and_undoes_the_rest() {
    assertThat(
            details(
                """
                version: 1
                agents:
                  good-one: {model: sim}
                  bad-one:
                    model: nowhere
                    tools: [no_tool]
                    can_spawn: [good-one, nobody]
                schemas:
                  bad-schema:
                    entry_agent: no-agent
                """))
        .containsExactly(
            "agents.bad-one.model: line 5, column 5: model 'nowhere' does not exist",
            "agents.bad-one.tools: line 6, column 5: tool 'no_tool' does not exist",
            "agents.bad-one.can_spawn: line 7, column 5: agent 'nobody' does not exist",
            "schemas.bad-schema.entry_agent: line 10, column 5: agent 'no-agent' does not exist");
  }

  @Test
  void what_the_engine_itself_runs_on_is_not_for_a_document() {
    assertThat(details("version: 1\nagents: {x: {model: sim, system: 'a ${ENGINE_MASTER_KEY}'}}\n"))
        .singleElement()
        .asString()
        .contains("line 2, column 26", "ENGINE_MASTER_KEY");
    assertThat(details("version: 1\nagents: {x: {model: sim, system: '${NO_SUCH_VARIABLE}'}}\n"))
        .containsExactly(
            "agents.x.system: line 2, column 26: the environment variable NO_SUCH_VARIABLE is not"
                + " set");
  }

  @Test
  void a_document_with_too_many_entries_is_refused_before_it_holds_up_the_store() {
    StringBuilder many = new StringBuilder("version: 1\nagents:\n");
    for (int i = 0; i <= 5_000; i++) {
      many.append("  a").append(i).append(": {model: sim}\n");
    }

    assertThat(details(many.toString()))
        .containsExactly(
            ": line 1, column 1: the document has more than 5000 entries; split it into several");
  }

  @Test
  void an_answer_stays_small_however_much_is_wrong() {
    String document = "version: 1\nagents:\n";
    StringBuilder many = new StringBuilder(document);
    for (int i = 0; i < 20_000; i++) {
      many.append("  a").append(i).append(": {max_steps: 0}\n");
    }

    Answer answer = send(many.toString().getBytes(UTF_8));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.body().length).isLessThan(100_000);
    assertThat(answer.json().at("/details/200/message").textValue())
        .isEqualTo("and 39801 problems more");
  }

  private List<String> details(String text) {
    return details(text.getBytes(UTF_8));
  }

  /** Field and message of each complaint. */
  private List<String> details(byte[] document) {
    Answer answer = send(document);
    assertThat(answer.error(400)).isEqualTo("invalid_request");
    List<String> details = new ArrayList<>();
    for (JsonNode detail : answer.json().path("details")) {
      details.add(detail.path("field").textValue() + ": " + detail.path("message").textValue());
    }
    return details;
  }

  private Answer send(byte[] document) {
    return client.send("POST", IMPORT, document, Map.of("Content-Type", "application/x-yaml"));
  }
}
