package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.simulator.Simulator;
import agentengine.testing.FakeServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Everything that a provider can send instead of an answer. */
class ModelFailureTest {
  private static final String STREAM = "text/event-stream";
  private static final Simulator SIMULATOR = Simulator.start(0);
  private static final ModelCaller MODEL =
      ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, SIMULATOR.baseUrl());
  private static final ModelCaller NOBODY =
      ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, "http://127.0.0.1:" + closedPort() + "/v1");
  private static final ModelCaller NOWHERE =
      ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, "http://nowhere.invalid/v1");

  // These are tried three times, so they do it while the other tests run.
  private static final ModelCaller.Running TO_NOBODY = NOBODY.begin("Hello");
  private static final ModelCaller.Running TO_NOWHERE = NOWHERE.begin("Hello");
  private static final ModelCaller.Running CUT = MODEL.begin("[[cut]]");

  @AfterAll
  static void close() {
    NOBODY.close();
    NOWHERE.close();
    MODEL.close();
    SIMULATOR.close();
  }

  private static int closedPort() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void nobody_listens_there() {
    ModelException failure = TO_NOBODY.outcome().bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.CONNECTION);
    assertThat(failure.reason()).contains("127.0.0.1:").contains("refuses the connection");
  }

  @Test
  void the_host_has_no_address() {
    ModelException failure = TO_NOWHERE.outcome().bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.CONNECTION);
    assertThat(failure.reason()).contains("nowhere.invalid").contains("base_url");
  }

  @Test
  void the_connection_breaks_before_the_answer() {
    ModelException failure = CUT.outcome().bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.CONNECTION);
    assertThat(failure.reason()).contains("broke the connection");
  }

  @Test
  void the_connection_breaks_in_the_middle() {
    ModelCaller.Outcome outcome = MODEL.ask("[[say Half an]] [[cut]]");

    assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.CONNECTION);
    assertThat(outcome.heard()).containsExactly("text Half", "text  an");
  }

  @Test
  void the_answer_ends_without_saying_that_it_is_complete() {
    assertThat(MODEL.ask("[[say Half an]] [[end]]").bad().kind())
        .isEqualTo(ModelException.Kind.CONNECTION);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\n",
        "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]\n\n"
      })
  void one_sign_of_completeness_is_enough(String stream) {
    try (FakeServer server = FakeServer.saying(STREAM, stream)) {
      assertThat(outcome(server.url()).good().text()).isEqualTo("Hi");
    }
  }

  @Test
  void a_web_page() {
    ModelException failure = MODEL.ask("[[html]]").bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.MALFORMED);
    assertThat(failure.reason()).contains("web page").contains("base_url");
  }

  @Test
  void a_web_page_with_an_error_status() {
    ModelException failure = MODEL.ask("[[html 404]]").bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
    assertThat(failure.reason()).contains("404").doesNotContain("<");
  }

  @Test
  void one_json_object_instead_of_a_stream() {
    try (FakeServer server =
        FakeServer.saying(
            "application/json", "{\"choices\":[{\"message\":{\"content\":\"a\"}}]}")) {
      ModelException failure = ask(server.url());

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.MALFORMED);
      assertThat(failure.reason()).contains("did not stream");
    }
  }

  @Test
  void an_error_object_with_a_status_of_success() {
    String error = "{\"error\":{\"message\":\"no such model\",\"code\":404}}";
    try (FakeServer json = FakeServer.saying("application/json; charset=utf-8", error);
        FakeServer stream = FakeServer.saying(STREAM, "data: " + error + "\n\n");
        ModelCaller one = ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, json.url());
        ModelCaller other = ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, stream.url())) {
      for (ModelCaller.Running call : List.of(one.begin("Hello"), other.begin("Hello"))) {
        assertThat(call.outcome().bad().reason()).contains("no such model");
      }
    }
  }

  @Test
  void an_error_object_in_the_middle() {
    ModelCaller.Outcome outcome = MODEL.ask("[[say Half]] [[stream-error out of luck]]");

    assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(outcome.bad().reason()).contains("out of luck");
    assertThat(outcome.heard()).containsExactly("text Half");
  }

  @ParameterizedTest
  @ValueSource(strings = {"{\"choices\":[{", "nonsense", "[1,2]", "\"text\"", "{\"choices\":7}"})
  void a_piece_that_is_not_what_it_should_be(String data) {
    ModelCaller.Outcome outcome = MODEL.ask("[[say Half]] [[line data: " + data + "]] [[say an]]");

    assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.MALFORMED);
    assertThat(outcome.bad().reason()).contains("cannot be understood").doesNotContain("\n");
  }

  @Test
  void a_redirect_is_not_followed() {
    try (FakeServer elsewhere = FakeServer.saying(STREAM, "data: [DONE]\n\n");
        FakeServer server =
            FakeServer.start(
                (_, out) ->
                    FakeServer.write(
                        out,
                        "HTTP/1.1 307 Temporary Redirect\r\nLocation: "
                            + elsewhere.url()
                            + "\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))) {
      ModelException failure = ask(server.url());

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
      assertThat(failure.reason()).contains("307").contains("base_url");
      assertThat(elsewhere.requests()).isEmpty();
    }
  }

  @Test
  void something_that_is_not_http() {
    try (FakeServer server =
        FakeServer.start((_, out) -> FakeServer.write(out, "SSH-2.0-OpenSSH_9.9\r\n"))) {
      ModelException failure = ask(server.url());

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.MALFORMED);
      assertThat(failure.reason()).contains("HTTP").contains("base_url");
    }
  }

  @Test
  void an_answer_without_end() {
    String piece =
        "data: {\"choices\":[{\"delta\":{\"content\":\"" + "x".repeat(100_000) + "\"}}]}\n\n";
    try (FakeServer server =
        FakeServer.start(
            (_, out) -> {
              FakeServer.write(out, FakeServer.ok(STREAM));
              while (true) {
                FakeServer.write(out, piece);
              }
            })) {
      ModelException failure = ask(server.url());

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.MALFORMED);
      assertThat(failure.reason()).contains("characters");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"tool_calls\":[{\"id\":\"%d\"}]",
        "\"reasoning_details\":[{\"type\":\"reasoning.encrypted\",\"data\":\"%d\"}]"
      })
  void tool_calls_or_signatures_without_end(String part) {
    try (FakeServer server =
        FakeServer.start(
            (_, out) -> {
              FakeServer.write(out, FakeServer.ok(STREAM));
              for (int i = 0; ; i++) {
                StringBuilder many = new StringBuilder();
                for (int j = 0; j < 100; j++) {
                  String delta = part.replace("%d", i + "-" + j + "x".repeat(500));
                  many.append("data: {\"choices\":[{\"delta\":{" + delta + "}}]}\n\n");
                }
                FakeServer.write(out, many.toString());
              }
            })) {
      ModelException failure = ask(server.url());

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.MALFORMED);
      assertThat(failure.reason()).contains("characters");
    }
  }

  @Test
  void an_answer_that_a_filter_stopped_in_the_middle() {
    ModelCaller.Outcome outcome = MODEL.ask("[[say Half]] [[finish content_filter]]");

    assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.REFUSED);
    assertThat(outcome.bad().reason()).contains("content filter");
    assertThat(outcome.heard()).containsExactly("text Half");
  }

  @Test
  void a_long_complaint_is_told_shortly_and_on_one_line() {
    try (FakeServer server =
        FakeServer.start(
            (_, out) ->
                FakeServer.write(
                    out,
                    "HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n"
                        + "first\nsecond\n".repeat(10_000)))) {
      String reason = ask(server.url()).reason();

      assertThat(reason).contains("400").contains("first second").hasSizeLessThan(1_000);
      assertThat(reason).doesNotContain("\n");
    }
  }

  private static ModelException ask(String baseUrl) {
    return outcome(baseUrl).bad();
  }

  private static ModelCaller.Outcome outcome(String baseUrl) {
    try (ModelCaller caller = ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, baseUrl)) {
      ModelCaller.Outcome outcome = caller.ask("Hello");
      assertThat(outcome.leftInterrupted()).isFalse();
      return outcome;
    }
  }
}
