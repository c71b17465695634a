package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.simulator.Simulator;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.FakeServer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trying a model record: what is asked of the provider, and what is told of its answer. */
class VerifyModelApiTest {
  private static final String MODELS = "/api/v1/models";
  private static final String KEY = "key-that-nobody-may-see";
  private static final String STREAM = "text/event-stream";
  private static final String WORDS =
      """
      data: {"choices":[{"delta":{"content":"pong"},"finish_reason":"stop"}]}

      data: [DONE]

      """;

  private final ApiClient client = TestEngine.shared(TestDatabases.Kind.SQLITE).admin();

  @Test
  void a_model_that_answers_and_calls_tools_is_found_to_do_so() {
    try (Simulator simulator = Simulator.start(0)) {
      JsonNode result = verify("openai_compatible", simulator.baseUrl()).expect(200);

      assertThat(result.path("connectivity").textValue()).isEqualTo("ok");
      assertThat(result.path("tool_calling").textValue()).isEqualTo("supported");
      assertThat(result.path("response_time_ms").isIntegralNumber()).isTrue();
      assertThat(result.path("model_name").textValue()).isEqualTo("a-model");
      assertThat(result.path("provider").textValue()).isEqualTo("openai_compatible");
      assertThat(result.path("error").isNull()).isTrue();
      assertThat(simulator.requests())
          .extracting(request -> request.body().path("tools").size())
          .containsExactly(0, 1);
      assertThat(simulator.requests())
          .allMatch(request -> ("Bearer " + KEY).equals(request.header("Authorization")));
    }
  }

  @Test
  void a_model_that_only_talks_has_no_tools() {
    try (FakeServer talker = FakeServer.saying(STREAM, WORDS)) {
      assertReachableWithoutTools(verify("openai_compatible", talker.url()));
    }
  }

  @Test
  void a_provider_that_refuses_tools_is_reachable_without_them() {
    try (FakeServer picky =
        FakeServer.start(
            (request, out) ->
                FakeServer.write(
                    out,
                    request.body().contains("\"tools\"")
                        ? answer("400 Bad Request", "does not support tools")
                        : FakeServer.ok(STREAM) + WORDS))) {
      assertReachableWithoutTools(verify("openai_compatible", picky.url()));
      assertThat(picky.requests()).hasSize(2);
    }
  }

  private static void assertReachableWithoutTools(Answer answer) {
    JsonNode result = answer.expect(200);
    assertThat(result.path("connectivity").textValue()).isEqualTo("ok");
    assertThat(result.path("tool_calling").textValue()).isEqualTo("not_detected");
    assertThat(result.path("error").isNull()).isTrue();
  }

  @Test
  void a_provider_that_refuses_the_key_is_an_error_with_its_reason_and_without_the_key() {
    try (FakeServer server = failing("401 Unauthorized", "Incorrect API key: " + KEY)) {
      Answer answer = verify("openai_compatible", server.url());

      assertThat(error(answer)).contains("401", "Incorrect API key", "api_key");
      assertThat(answer.text()).doesNotContain(KEY);
    }
  }

  @Test
  void a_provider_that_fails_is_asked_once_and_its_failure_is_told() {
    for (String status : List.of("500 Internal Server Error", "429 Too Many Requests")) {
      try (FakeServer server = failing(status, "try again later")) {
        assertThat(error(verify("openai_compatible", server.url())))
            .contains(status.substring(0, 3), "try again later");
        assertThat(server.requests()).as(status).hasSize(1);
      }
    }
  }

  @Test
  void a_web_page_is_not_a_provider() {
    try (FakeServer server = FakeServer.saying("text/html", "<html>Welcome</html>")) {
      assertThat(error(verify("openai_compatible", server.url()))).contains("web page", "base_url");
    }
  }

  @Test
  void no_kind_is_reachable_where_nobody_listens() {
    String nowhere = "http://127.0.0.1:" + closedPort();
    for (String kind :
        List.of(
            "ollama",
            "openai_compatible",
            "anthropic",
            "azure_openai",
            "google",
            "openrouter",
            "deepseek",
            "mistral",
            "xai",
            "zai")) {
      Answer answer = verify(kind, nowhere);

      assertThat(error(answer)).as(kind).isNotBlank();
      assertThat(answer.json().path("provider").textValue()).isEqualTo(kind);
    }
  }

  @Test
  void a_model_that_does_not_exist_cannot_be_tried() {
    assertThat(client.post(MODELS + "/nothing/verify", null).error(404)).isEqualTo("not_found");
  }

  @Test
  void who_may_only_read_models_may_not_spend_tokens_on_them() {
    ApiClient reader = client.withScopes("models:read");
    ApiClient writer = client.withScopes("models:write");

    assertThat(reader.post(MODELS + "/sim/verify", null).error(403)).isEqualTo("forbidden");
    assertThat(writer.post(MODELS + "/sim/verify", null).expect(200).path("tool_calling").asText())
        .isEqualTo("supported");
  }

  private Answer verify(String type, String baseUrl) {
    String name = TestEngine.freshName();
    client
        .post(
            MODELS,
            Json.object()
                .put("name", name)
                .put("type", type)
                .put("model_name", "a-model")
                .put("base_url", baseUrl)
                .put("api_key", KEY))
        .expect(201);
    return client.post(MODELS + "/" + name + "/verify", null);
  }

  private static String error(Answer answer) {
    JsonNode result = answer.expect(200);
    assertThat(result.path("connectivity").textValue()).isEqualTo("error");
    assertThat(result.path("tool_calling").textValue()).isEqualTo("skipped");
    return result.path("error").asText();
  }

  private static FakeServer failing(String status, String message) {
    return FakeServer.start((_, out) -> FakeServer.write(out, answer(status, message)));
  }

  private static String answer(String status, String message) {
    return "HTTP/1.1 "
        + status
        + "\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n{\"error\":{\"message\":\""
        + message
        + "\"}}";
  }

  private static int closedPort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
