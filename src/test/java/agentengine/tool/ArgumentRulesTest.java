package agentengine.tool;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ArgumentRulesTest {
  @Test
  void arguments_that_fit_pass() {
    String schema =
        """
        {'type': 'object', 'required': ['city'],
         'properties': {'city': {'type': 'string'}, 'days': {'type': 'integer', 'maximum': 7}}}
        """;

    assertThat(problem(schema, "{'city': 'Rome'}")).isNull();
    assertThat(problem(schema, "{'city': 'Rome', 'days': 3, 'more': true}")).isNull();
    assertThat(problem(schema, "{'city': 'Rome', 'days': 3.0}")).isNull();
    assertThat(problem("{}", "{'any': ['thing', null]}")).isNull();
  }

  @Test
  void every_problem_is_named_with_its_place() {
    String problem =
        problem(
            """
            {'type': 'object', 'required': ['city'], 'additionalProperties': false,
             'properties': {
               'city': {'type': 'string'},
               'days': {'type': 'integer'},
               'places': {'type': 'array', 'items': {'enum': ['a', 'b']}}}}
            """,
            "{'days': 'many', 'places': ['a', 'c'], 'colour': 'blue'}");

    assertThat(problem)
        .contains("$: required property 'city' not found")
        .contains("$.days: string found, integer expected")
        .contains("$.places[1]: does not have a value in the enumeration")
        .contains("'colour'")
        .doesNotContain("\n");
  }

  @Test
  void a_complaint_stays_short_however_much_is_wrong() {
    ObjectNode arguments = Json.object();
    for (int i = 0; i < 1_000; i++) {
      arguments.put("unknown" + i, 1);
    }
    String closed = "{'additionalProperties': false}";
    assertThat(rules(closed).problem(arguments)).contains("and 992 more").hasSizeLessThan(3_000);

    String pattern = "{'properties': {'a': {'pattern': '^" + "x".repeat(5_000) + "$'}}}";
    assertThat(problem(pattern, "{'a': 'b'}")).hasSizeLessThan(500);
  }

  @Test
  void references_within_the_schema_are_followed() {
    String schema =
        """
        {'$defs': {'tree': {'type': 'object', 'required': ['name'],
           'properties': {'children': {'type': 'array', 'items': {'$ref': '#/$defs/tree'}}}}},
         'properties': {'root': {'$ref': '#/$defs/tree'}}}
        """;

    assertThat(ArgumentRules.schemaProblem(json(schema))).isNull();
    assertThat(problem(schema, "{'root': {'name': 'a', 'children': [{'name': 'b'}]}}")).isNull();
    assertThat(problem(schema, "{'root': {'name': 'a', 'children': [{}]}}"))
        .contains("$.root.children[0]: required property 'name' not found");
  }

  @Test
  void a_schema_is_read_by_the_draft_it_names() {
    String tuple =
        """
        {'$schema': '%s', 'properties': {'pair': {'items': [{'type': 'string'}]}}}
        """;

    for (String draft :
        List.of(
            "http://json-schema.org/draft-07/schema#",
            "http://json-schema.org/draft-04/schema#",
            "https://json-schema.org/draft/2019-09/schema")) {
      assertThat(ArgumentRules.schemaProblem(json(tuple.formatted(draft)))).as(draft).isNull();
      assertThat(problem(tuple.formatted(draft), "{'pair': [5]}")).as(draft).contains("$.pair[0]");
    }
    String newest = "https://json-schema.org/draft/2020-12/schema";
    assertThat(ArgumentRules.schemaProblem(json(tuple.formatted(newest)))).contains("items");
    assertThat(ArgumentRules.schemaProblem(json("{'properties': {'a': {'items': []}}}")))
        .contains("items");
  }

  @Test
  void what_is_not_a_schema_of_an_object_is_refused() {
    for (String schema :
        List.of(
            "{'type': 'array'}",
            "{'type': 'string'}",
            "{'type': ['object', 'null']}",
            "{'type': null}",
            "{'type': 'object', 'properties': []}",
            "{'type': 'object', 'properties': {'a': 'string'}}",
            "{'type': 'object', 'properties': {'a': {'type': 'text'}}}",
            "{'type': 'object', 'required': 'city'}",
            "{'type': 'object', 'minProperties': -1}",
            "{'properties': {'a': {'pattern': '('}}}",
            "{'patternProperties': {'[': {}}}",
            "{'$schema': 'https://example.org/mine'}",
            "{'$schema': 7}",
            "{'properties': {'a': {'$ref': '#/$defs/nowhere'}}}",
            "{'title': 'a\\u0000b'}",
            "{'properties': {'\\ud800': {}}}")) {
      assertThat(ArgumentRules.schemaProblem(json(schema))).as(schema).isNotNull();
    }
  }

  @Test
  void nothing_is_ever_fetched_from_elsewhere() {
    for (String reference :
        List.of(
            "http://127.0.0.1:1/schema",
            "https://example.org/schema",
            "file:///etc/passwd",
            "classpath:draft/2020-12/schema",
            "resource:draft/2020-12/schema",
            "https://json-schema.org/draft/2020-12/schema",
            "other.json",
            "//host/schema",
            "")) {
      for (String keyword : List.of("$ref", "$dynamicRef")) {
        ObjectNode schema = Json.object();
        schema.putObject("properties").putObject("a").put(keyword, reference);
        assertThat(ArgumentRules.schemaProblem(schema)).as(reference).contains(keyword);
      }
    }
    assertThat(
            ArgumentRules.schemaProblem(
                json("{'$id': 'http://127.0.0.1:1/a', 'properties': {'a': {'$ref': '#/b'}}}")))
        .isNotNull();
  }

  @Test
  void a_schema_has_a_limited_size_and_depth() {
    ObjectNode large = Json.object().put("description", "x".repeat(64 * 1024));
    assertThat(ArgumentRules.schemaProblem(large)).contains("65536 bytes");

    ObjectNode deep = Json.object();
    ObjectNode at = deep;
    for (int i = 0; i < 60; i++) {
      at = at.putObject("not");
    }
    assertThat(ArgumentRules.schemaProblem(deep)).contains("levels deep");
  }

  @Test
  void a_schema_that_never_ends_is_a_complaint_and_not_a_crash() {
    for (String schema :
        List.of(
            "{'$ref': '#'}",
            "{'properties': {'a': {'$ref': '#/properties/a'}}}",
            "{'allOf': [{'$ref': '#'}]}")) {
      assertThat(
              ArgumentRules.schemaProblem(json(schema)) != null
                  || problem(schema, "{'a': 1}") != null)
          .as(schema)
          .isTrue();
    }
  }

  @Test
  void a_pattern_that_takes_years_is_given_up() {
    String schema = "{'properties': {'a': {'pattern': '^(x+x+)+y$'}}}";

    assertThat(problem(schema, "{'a': '" + "x".repeat(5_000) + "'}")).contains("too long");
    assertThat(problem(schema, "{'a': 'xxy'}")).isNull();
    assertThat(problem(schema, "{'a': 'xxy\\n'}")).isNotNull();
  }

  private static @Nullable String problem(String schema, String arguments) {
    return rules(schema).problem(json(arguments));
  }

  private static ArgumentRules rules(String schema) {
    return new ArgumentRules(json(schema));
  }

  private static ObjectNode json(String text) {
    return Json.parseObject(text.replace('\'', '"'));
  }
}
