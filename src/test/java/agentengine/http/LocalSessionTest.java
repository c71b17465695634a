package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.testing.Answer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalSessionTest {
  private static final String PATH = "/api/v1/auth/local-session";

  private final TestEngine engine = TestEngine.shared(TestDatabases.Kind.SQLITE);

  @Test
  void a_program_of_this_machine_gets_an_admin_token_for_the_asking() {
    JsonNode session = engine.anonymous().post(PATH, null).expect(200);

    assertThat(Instant.parse(session.path("expires_at").textValue())).isAfter(Instant.now());
    assertThat(
            engine
                .anonymous()
                .with(session.path("access_token").textValue())
                .get("/api/v1/auth/tokens")
                .status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost", "LocalHost:8080", "127.0.0.1", "127.8.8.8:1", "[::1]:80"})
  void every_name_of_this_machine_will_do(String host) {
    assertThat(ask("Host: " + host).status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "192.168.0.1",
        "0.0.0.0",
        "[::2]"
      })
  void a_page_that_rebinds_its_name_gets_none(String host) {
    assertForbidden(ask("Host: " + host));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: http://evil.example",
        "Origin: https://localhost.evil.example",
        "Origin: null",
        "Origin: http://localhost\r\nOrigin: http://evil.example",
        "X-Forwarded-For: 127.0.0.1",
        "x-forwarded-host: localhost",
        "X-Forwarded-Proto: https",
        "Forwarded: for=127.0.0.1",
        "X-Real-IP: 127.0.0.1",
        "Via: 1.1 proxy"
      })
  void who_comes_from_elsewhere_or_through_a_proxy_gets_none(String header) {
    assertForbidden(ask("Host: localhost", header));
  }

  @Test
  void a_page_of_this_machine_gets_one() {
    assertThat(ask("Host: localhost", "Origin: http://localhost:3000").status()).isEqualTo(200);
  }

  @Test
  void an_engine_with_the_local_session_off_has_none() {
    try (TestEngine own =
        TestEngine.start(
            TestDatabases.Kind.SQLITE, options -> options.put(Variable.LOCAL_SESSION, "off"))) {
      assertThat(own.anonymous().post(PATH, null).error(404)).isEqualTo("not_found");
    }
  }

  private Answer ask(String... headers) {
    return RawHttp.send(
        engine.port(), "POST " + PATH + " HTTP/1.1\r\n", String.join("\r\n", headers), "\r\n\r\n");
  }

  private static void assertForbidden(Answer answer) {
    assertThat(answer.error(403)).isEqualTo("forbidden");
    assertThat(answer.text()).doesNotContain("access_token");
  }
}
