package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import agentengine.tool.ToolSpec;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ToolsInDocumentTest {
  private static final String DOCUMENT =
      """
      version: 1
      agents:
        helper:
          model: sim
          tools: [find_order, current_time]
          confirm_before: [find_order]
      tools:
        find_order:
          description: Finds an order.
          url: https://${HOST}/orders/{number}
          headers:
            Authorization: Bearer ${TOKEN}
            X-Key: the-first-key
          parameters:
            required: [number]
            properties: {number: {type: string}}
          timeout: 10s
          effect: read_only
      models:
        sim: {type: ollama, model_name: m}
      """;

  private final Definitions definitions;

  ToolsInDocumentTest(TestDatabases.Kind kind) {
    definitions = new Definitions(kind);
    definitions.environment.put("HOST", "shop.example");
    definitions.environment.put("TOKEN", "token-one");
  }

  @AfterAll
  static void close() {
    Definitions.closeAll();
  }

  @Test
  void a_document_declares_tools_for_its_agents() {
    definitions.apply(DOCUMENT);

    ToolSpec tool = definitions.tools.get("find_order").spec();
    assertThat(tool.toJson())
        .isEqualTo(
            Json.parse(
                """
                {"name": "find_order", "description": "Finds an order.", "method": "GET",
                 "url": "https://shop.example/orders/{number}",
                 "headers": {"Authorization": "Bearer ${TOKEN}", "X-Key": "***"},
                 "parameters": {"type": "object", "required": ["number"],
                                "properties": {"number": {"type": "string"}}},
                 "timeout": "10s", "effect": "read_only", "confirm_before": false}
                """));
    assertThat(definitions.agents.get("helper").spec().uses().tools()).contains("find_order");
    assertThat(definitions.configuration.nothingIsDefined()).isFalse();
  }

  @Test
  void a_reference_in_a_header_stays_one_so_that_a_new_value_needs_no_new_document() {
    definitions.apply(DOCUMENT);
    definitions.environment.put("TOKEN", "token-two");

    assertThat(definitions.apply(DOCUMENT)).isFalse();
    assertThat(headers()).contains("Bearer ${TOKEN}");
  }

  @Test
  void a_secret_that_is_left_out_stays_and_null_takes_it_away() {
    definitions.apply(DOCUMENT);

    definitions.apply(DOCUMENT.replace("      X-Key: the-first-key\n", ""));
    assertThat(headers()).contains("X-Key");

    definitions.apply(
        DOCUMENT
            .replace("      X-Key: the-first-key\n", "")
            .replace("    headers:\n      Authorization: Bearer ${TOKEN}\n", ""));
    assertThat(headers()).isEqualTo("{\"X-Key\":\"***\"}");

    definitions.apply(DOCUMENT.replace("the-first-key", "null"));
    assertThat(headers()).isEqualTo("{\"Authorization\":\"Bearer ${TOKEN}\"}");
  }

  @Test
  void an_entry_replaces_the_definition_of_its_name() {
    definitions.apply(DOCUMENT);

    definitions.apply("version: 1\ntools: {find_order: {url: 'https://other.example/'}}\n");

    ToolSpec tool = definitions.tools.get("find_order").spec();
    assertThat(tool.description()).isEmpty();
    assertThat(tool.timeout()).isNull();
    assertThat(tool.parameters()).isEqualTo(Json.object().put("type", "object"));
  }

  @Test
  void what_is_wrong_with_a_tool_is_told_at_its_place() {
    List<String> problems =
        definitions
            .refusal(
                """
                version: 1
                tools:
                  find-order: {url: 'https://shop.example/'}
                  spawn_helper: {url: 'https://shop.example/'}
                  current_time: {url: 'https://shop.example/'}
                  silent: {}
                  loud:
                    url: https://shop.example/{number}
                    timeout: soon
                    colour: blue
                    headers:
                      Host: shop
                      X-Key: ${NOT_SET}
                      X-Stars: '***'
                    parameters: {type: array}
                """)
            .stream()
            .map(problem -> problem.line() + " " + problem.path())
            .toList();

    assertThat(problems)
        .containsExactlyInAnyOrder(
            "3 tools.find-order",
            "4 tools.spawn_helper",
            "5 tools.current_time",
            "6 tools.silent.url",
            "8 tools.loud.url",
            "9 tools.loud.timeout",
            "10 tools.loud.colour",
            "12 tools.loud.headers.Host",
            "13 tools.loud.headers.X-Key",
            "14 tools.loud.headers.X-Stars",
            "15 tools.loud.parameters");
  }

  @Test
  void a_variable_that_is_not_set_is_named() {
    definitions.environment.remove("TOKEN");

    assertThat(definitions.refusal(DOCUMENT))
        .extracting(ConfigurationException.Problem::toString)
        .containsExactly(
            "line 12, column 7: tools.find_order.headers.Authorization: the environment variable"
                + " TOKEN is not set");
  }

  @Test
  void an_agent_cannot_have_a_tool_that_nobody_declared() {
    assertThat(definitions.refusal(DOCUMENT.replace("[find_order, ", "[no_tool, ")))
        .extracting(ConfigurationException.Problem::path)
        .containsExactly("agents.helper.tools", "agents.helper.confirm_before");
  }

  private String headers() {
    return Json.write(definitions.tools.get("find_order").spec().toJson().path("headers"));
  }
}
