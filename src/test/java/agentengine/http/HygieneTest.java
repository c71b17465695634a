package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.http.ApiDocument.Operation;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** What holds for every answer. */
class HygieneTest {
  private final TestEngine engine = TestEngine.shared(TestDatabases.Kind.SQLITE);
  private final ApiClient client = engine.admin();

  /** Requests with an answer of each kind: JSON, text, a stream, nothing, errors. */
  private final List<String> requests =
      List.of(
          RawHttp.head("GET", "/api/v1/health"),
          RawHttp.head("GET", "/metrics"),
          RawHttp.head("GET", "/docs"),
          RawHttp.head("GET", "/"),
          RawHttp.head("GET", "/nowhere"),
          RawHttp.head("GET", "/api/v1/nowhere"),
          RawHttp.head("GET", "/api/v1/agents", RawHttp.bearer(client.token())),
          RawHttp.head("POST", "/api/v1/agents", RawHttp.bearer(client.token())),
          RawHttp.head("PATCH", "/api/v1/agents", RawHttp.bearer(client.token())),
          RawHttp.head("OPTIONS", "/api/v1/agents"),
          RawHttp.head("GET", "/%zz"),
          RawHttp.head("GET", "/" + "x".repeat(10_000)),
          RawHttp.head("GET", "/api/v1/health", "X-Large: " + "x".repeat(40_000)),
          "G\u0000T / HTTP/1.1\r\n\r\n");

  @Test
  void every_answer_has_an_id_and_no_two_the_same() {
    assertThat(requests)
        .extracting(request -> RawHttp.send(engine.port(), request).header("X-Request-Id"))
        .doesNotContainNull()
        .doesNotHaveDuplicates();
    EventStream stream = client.chat("help", "[[say Hi]]");
    assertThat(stream.header("X-Request-Id")).isNotEmpty();
    stream.readAll();
  }

  @Test
  void an_id_of_the_clients_own_is_kept_when_it_is_sane() {
    for (String id : List.of("abc-123", "a", "x".repeat(64), "A.b_C-9")) {
      assertThat(withId(id).header("X-Request-Id")).isEqualTo(id);
    }
    for (String id : List.of("x".repeat(65), "a b", "<script>", "a\u00ffb", "a,b", "a%0ab", "")) {
      assertThat(withId(id).header("X-Request-Id")).isNotEqualTo(id).hasSize(36);
    }
  }

  private Answer withId(String id) {
    return RawHttp.send(
        engine.port(), RawHttp.head("GET", "/api/v1/health", "X-Request-Id: " + id));
  }

  @Test
  void every_answer_tells_browsers_what_not_to_do() {
    for (String request : requests) {
      Answer answer = RawHttp.send(engine.port(), request);
      assertThat(answer.header("X-Content-Type-Options")).as(request).isEqualTo("nosniff");
      assertThat(answer.header("X-Frame-Options")).as(request).isEqualTo("DENY");
      assertThat(answer.header("Referrer-Policy")).as(request).isEqualTo("no-referrer");
      assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
      assertThat(answer.header("Content-Security-Policy")).contains("frame-ancestors 'none'");
      assertThat(answer.header("Cache-Control")).as(request).isEqualTo("no-store");
      assertThat(answer.header("Server")).isNull();
    }
  }

  @Test
  void every_error_is_json_of_the_usual_form() {
    for (String request : requests) {
      Answer answer = RawHttp.send(engine.port(), request);
      if (answer.status() >= 400) {
        assertThat(answer.status()).as(request).isLessThan(500);
        assertThat(answer.header("Content-Type")).as(request).isEqualTo("application/json");
        assertThat(answer.json().path("error").textValue()).as(request).isNotEmpty();
        assertThat(answer.json().path("message").textValue()).as(request).isNotEmpty();
      }
    }
  }

  @Test
  void invalid_http_is_refused_and_the_connection_closed() {
    for (String request :
        List.of(
            "hello\r\n\r\n",
            "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
            "GET / HTTP/1.1\nHost: localhost\n\n",
            RawHttp.head("GET", "/", "No colon"),
            RawHttp.head("GET", "/", "Bad name: x"),
            RawHttp.head("GET", "/", "X-Nul: a\u0000b"),
            RawHttp.head("GET", "/", "X-Folded: a\r\n b"),
            RawHttp.head("GET", "/", "X-Many: x\r\n".repeat(5_000) + "X-Last: x"),
            RawHttp.head("GET", "/\u0001"),
            RawHttp.head("G(T", "/"),
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")) {
      try (RawHttp http = new RawHttp(engine.port())) {
        Answer answer = http.write(request).read();
        assertThat(answer.error(400)).as(request).isEqualTo("invalid_request");
        assertThat(answer.header("Connection")).as(request).isEqualTo("close");
      }
    }
    Answer old = RawHttp.send(engine.port(), "GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n");
    assertThat(old.error(505)).isEqualTo("invalid_request");
  }

  @Test
  void head_answers_like_get_without_the_body() {
    for (Operation operation : ApiDocument.operations()) {
      if (operation.method().equals("GET")) {
        String path =
            operation.template().equals("/docs/{file}") ? "/docs/start.js" : path(operation);
        try (RawHttp http = new RawHttp(engine.port())) {
          String bearer = RawHttp.bearer(client.token());
          Answer get = http.write(RawHttp.head("GET", path, bearer)).read();
          Answer head = http.write(RawHttp.head("HEAD", path, bearer)).readHead();
          // The next answer stands where a body would be.
          assertThat(http.write(RawHttp.head("GET", "/api/v1/health")).read().status())
              .isEqualTo(200);
          assertThat(head.status()).as(path).isEqualTo(get.status());
          assertThat(stable(head)).as(path).isEqualTo(stable(get));
        }
      }
    }
    Answer refused = engine.anonymous().send("HEAD", "/api/v1/agents", null, Map.of());
    assertThat(refused.status()).isEqualTo(401);
  }

  private static String path(Operation operation) {
    return operation.path(operation.template().contains("/agents/") ? "helper" : "nothing");
  }

  /** The headers that do not change from one request to the next. */
  private static Map<String, List<String>> stable(Answer answer) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.putAll(answer.headers());
    headers.remove("X-Request-Id");
    headers.remove("Date");
    headers.remove("Content-Length");
    return headers;
  }

  @Test
  void head_says_how_long_the_body_would_be() {
    for (String path : List.of("/docs", "/api/v1/openapi.yaml", "/docs/start.js")) {
      Answer get = client.get(path);
      Answer head = client.send("HEAD", path, null, Map.of());
      assertThat(head.header("Content-Length")).isEqualTo(get.header("Content-Length"));
      assertThat(head.body()).isEmpty();
    }
  }

  @Test
  void options_names_the_methods_of_a_path_to_anybody() {
    Map<String, TreeSet<String>> methods = new TreeMap<>();
    for (Operation operation : ApiDocument.operations()) {
      TreeSet<String> ofPath =
          methods.computeIfAbsent(operation.path("x"), _ -> new TreeSet<>(List.of("OPTIONS")));
      ofPath.add(operation.method());
      if (operation.method().equals("GET")) {
        ofPath.add("HEAD");
      }
    }
    methods.forEach(
        (path, allowed) -> {
          Answer answer = engine.anonymous().send("OPTIONS", path, null, Map.of());
          assertThat(answer.status()).as(path).isEqualTo(204);
          assertThat(answer.header("Allow")).as(path).isEqualTo(String.join(", ", allowed));
          for (String method : List.of("GET", "POST", "PUT", "DELETE", "PATCH", "PROPFIND")) {
            if (!allowed.contains(method)) {
              Answer refused = client.send(method, path, null, Map.of());
              assertThat(refused.error(405)).as(path).isEqualTo("method_not_allowed");
              assertThat(refused.header("Allow")).isEqualTo(String.join(", ", allowed));
            }
          }
        });
    assertThat(engine.anonymous().send("OPTIONS", "/nowhere", null, Map.of()).status())
        .isEqualTo(204);
  }
}
