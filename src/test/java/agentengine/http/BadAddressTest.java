package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.http.ApiDocument.Operation;
import agentengine.testing.Answer;
import agentengine.testing.OpenApiContract;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Every operation with names and query values that are none. */
@ParameterizedClass
@EnumSource
class BadAddressTest {
  private static final Map<String, List<Integer>> STATUS_OF_NAMES =
      Map.ofEntries(
          Map.entry("nothing", List.of(404)),
          Map.entry("UPPER", List.of(404)),
          Map.entry("a%20b", List.of(404)),
          Map.entry("%00", List.of(404)),
          Map.entry("helper%00", List.of(404)),
          Map.entry("%0a", List.of(404)),
          Map.entry("%2F", List.of(404)),
          Map.entry("..%2Fhelper", List.of(404)),
          Map.entry("..", List.of(404)),
          Map.entry("%ff", List.of(404)),
          Map.entry("%c0%80", List.of(404)),
          Map.entry("%ed%a0%80", List.of(404)),
          Map.entry("%e2%82%ac", List.of(404)),
          Map.entry("%27%20OR%201=1", List.of(404)),
          Map.entry("help%25", List.of(404)),
          Map.entry("help+", List.of(404)),
          Map.entry("help;x=1", List.of(404)),
          Map.entry("a".repeat(5_000), List.of(404)),
          Map.entry("%zz", List.of(400)),
          Map.entry("%", List.of(400)),
          Map.entry("a|b", List.of(400)),
          Map.entry("a\u0000b", List.of(400)),
          Map.entry("a\u00ffb", List.of(404)),
          Map.entry("a".repeat(9_000), List.of(414)));

  private final TestEngine engine;
  private final String token;

  BadAddressTest(TestDatabases.Kind kind) {
    engine = TestEngine.shared(kind);
    token = engine.admin().token();
  }

  @Test
  void a_name_of_nothing_is_not_found_and_never_a_failure() {
    for (Operation operation : ApiDocument.operations()) {
      if (operation.hasName()) {
        STATUS_OF_NAMES.forEach(
            (name, statuses) -> {
              Answer answer = send(operation, operation.path(name), bodyFor(operation));
              assertThat(answer.status()).as(operation + " with " + shown(name)).isIn(statuses);
            });
      }
    }
  }

  @Test
  void an_empty_name_is_no_path_at_all() {
    for (Operation operation : ApiDocument.operations()) {
      if (operation.hasName() && !operation.isPublic()) {
        assertThat(send(operation, operation.path(""), "").error(404)).isEqualTo("not_found");
      }
    }
  }

  @Test
  void a_bad_number_in_the_query_is_refused_by_its_name() {
    for (Operation operation : ApiDocument.operations()) {
      operation
          .query()
          .forEach(
              (name, schema) -> {
                if (schema.path("type").asText().equals("integer")) {
                  for (String value : List.of("0", "-1", "x", "1.5", "1e3", "%2B5", "0x5", "%00")) {
                    assertRefused(operation, name, value);
                  }
                }
              });
    }
  }

  @Test
  void a_bad_text_in_the_query_is_refused_by_its_name() {
    for (Operation operation : ApiDocument.operations()) {
      for (String name : operation.query().keySet()) {
        assertRefused(operation, name, "%00");
        assertRefused(operation, name, "a%00b");
        assertRefused(operation, name, "a".repeat(5_000));
      }
    }
  }

  @Test
  void a_strange_query_is_no_failure() {
    for (Operation operation : ApiDocument.operations()) {
      for (String name : operation.query().keySet()) {
        for (String value : List.of("%ff", "%ed%a0%80", "%27%20OR%201=1", "", "%", "%zz")) {
          Answer answer = send(operation, operation.path("x") + "?" + name + "=" + value, "");
          assertThat(answer.status()).as(operation + " with " + value).isIn(200, 400);
        }
      }
      if (operation.method().equals("GET") && !operation.hasName()) {
        for (String query : List.of("?", "?&&", "?=", "?nonsense=1", "?=x&&a", "?a=b=c", "?%00")) {
          Answer answer = send(operation, operation.path("x") + query, "");
          assertThat(answer.status())
              .as(operation + query)
              .isIn(operation.needsQuery() ? List.of(400) : List.of(200, 302));
        }
      }
    }
  }

  private void assertRefused(Operation operation, String parameter, String value) {
    String path = operation.path("x") + "?" + parameter + "=" + value;
    Answer answer = send(operation, path, "");
    assertThat(answer.status()).as(operation + " with " + shown(path)).isEqualTo(400);
    assertThat(answer.json().path("details").findValuesAsText("field")).containsExactly(parameter);
  }

  /** A body with nothing wrong in it, so that the name is what is wrong. */
  private static String bodyFor(Operation operation) {
    if (!operation.hasBody()) {
      return "";
    }
    if (operation.fields().containsKey("call_id")) {
      return "{\"call_id\": \"call_1\", \"answers\": [\"approve\"]}";
    }
    return operation.fields().containsKey("message") ? "{\"message\": \"Hi\"}" : "{}";
  }

  private Answer send(Operation operation, String path, String body) {
    Answer answer =
        RawHttp.send(
            engine.port(),
            RawHttp.head(
                operation.method(),
                path,
                RawHttp.bearer(token),
                "Connection: close",
                "Content-Length: " + body.length()),
            body);
    assertThat(answer.header("X-Request-Id")).isNotNull();
    if (answer.status() != 414) {
      OpenApiContract.instance()
          .check(
              operation.method(),
              path,
              answer.status(),
              answer.header("Content-Type"),
              answer.headers(),
              answer.body());
    }
    return answer;
  }

  private static String shown(String text) {
    return text.length() > 100 ? text.substring(0, 100) + "…" : text;
  }
}
