package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.testing.Answer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CorsTest {
  private static final String APP = "https://app.example";

  private final TestEngine engine =
      TestEngine.start(
          TestDatabases.Kind.SQLITE,
          options -> options.put(Variable.CORS_ORIGINS, APP + ",https://other.example"));

  @AfterAll
  void stop() {
    engine.close();
  }

  @Test
  void by_default_no_page_of_another_origin_gets_anything() {
    TestEngine usual = TestEngine.shared(TestDatabases.Kind.SQLITE);
    for (String method : List.of("GET", "OPTIONS")) {
      Answer answer = ask(usual, method, APP);
      assertThat(answer.headers().keySet())
          .noneMatch(name -> name.toLowerCase(Locale.ROOT).startsWith("access-control"));
      assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("same-origin");
    }
  }

  @Test
  void a_page_of_a_configured_origin_may_read_answers_and_their_headers() {
    for (String origin : List.of(APP, "https://other.example")) {
      Answer answer = ask(engine, "GET", origin);
      assertThat(answer.status()).isEqualTo(200);
      assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(origin);
      assertThat(answer.header("Vary")).isEqualTo("Origin");
      assertThat(answer.header("Access-Control-Expose-Headers"))
          .contains("X-Session-Id", "Retry-After", "Location", "X-Request-Id");
      assertThat(answer.header("Cross-Origin-Resource-Policy")).isEqualTo("cross-origin");
      assertThat(answer.header("Access-Control-Allow-Credentials")).isNull();
    }
  }

  @Test
  void an_error_can_be_read_too() {
    Answer answer = send(engine, "GET", "/api/v1/agents", Map.of("Origin", APP));

    assertThat(answer.error(401)).isEqualTo("unauthorized");
    assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
  }

  @Test
  void a_preflight_is_told_what_may_be_sent() {
    Answer answer =
        send(
            engine,
            "OPTIONS",
            "/api/v1/schemas/help/chat",
            Map.of(
                "Origin",
                APP,
                "Access-Control-Request-Method",
                "POST",
                "Access-Control-Request-Headers",
                "authorization, content-type"));

    assertThat(answer.status()).isEqualTo(204);
    assertThat(answer.header("Access-Control-Allow-Origin")).isEqualTo(APP);
    assertThat(answer.header("Access-Control-Allow-Methods")).contains("POST", "PUT", "DELETE");
    assertThat(answer.header("Access-Control-Allow-Headers"))
        .contains("Authorization", "Content-Type", "Idempotency-Key", "Last-Event-ID");
    assertThat(answer.header("Access-Control-Max-Age")).isNotNull();
  }

  @Test
  void a_page_of_any_other_origin_still_gets_nothing() {
    for (String origin :
        List.of(
            "https://evil.example",
            "https://app.example.evil.example",
            "null",
            "http://app.example")) {
      for (String method : List.of("GET", "OPTIONS")) {
        Answer answer = ask(engine, method, origin);
        assertThat(answer.header("Access-Control-Allow-Origin")).as(origin).isNull();
        assertThat(answer.header("Access-Control-Allow-Methods")).as(origin).isNull();
        assertThat(answer.header("Vary")).isEqualTo("Origin");
      }
    }
  }

  private static Answer ask(TestEngine engine, String method, String origin) {
    return send(engine, method, "/api/v1/health", Map.of("Origin", origin));
  }

  private static Answer send(
      TestEngine engine, String method, String path, Map<String, String> headers) {
    return engine.anonymous().send(method, path, null, headers);
  }
}
