package agentengine.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class FailureTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private static Simulator simulator;
  private static ChatClient client;

  @BeforeAll
  static void start() {
    simulator = Simulator.start(0);
    client = new ChatClient(simulator);
  }

  @AfterAll
  static void stop() {
    client.close();
    simulator.close();
  }

  @Test
  void an_error_has_status_retry_after_and_the_shape_of_openai() {
    ChatClient.Reply reply = client.ask("[[error 429 retry-after=1 Slow down]] [[say unheard]]");

    assertThat(reply.status()).isEqualTo(429);
    assertThat(reply.response().headers().firstValue("Retry-After")).contains("1");
    assertThat(reply.json().toString())
        .isEqualTo(
            "{\"error\":{\"message\":\"Slow down\",\"type\":\"rate_limit_error\","
                + "\"param\":null,\"code\":\"rate_limit_exceeded\"}}");
  }

  @Test
  void an_error_can_carry_a_code_of_its_own() {
    JsonNode error = client.askWhole("[[error 400 code=context_length_exceeded]]").json();

    assertThat(error.at("/error/code").asText()).isEqualTo("context_length_exceeded");
  }

  @Test
  void an_error_for_the_first_attempts_gives_way_to_the_answer() {
    String script = "[[error 503 times=2 key=first-attempts]] [[say at last]]";

    assertThat(client.ask(script).status()).isEqualTo(503);
    assertThat(client.ask(script).status()).isEqualTo(503);
    assertThat(client.ask(script).text()).isEqualTo("at last");
  }

  @Test
  void limited_failures_in_one_step_follow_one_another() {
    String script = "[[cut times=1 key=row-1]] [[error 500 times=1 key=row-2]] [[say fine]]";

    assertThatThrownBy(() -> client.ask(script)).isInstanceOf(ChatClient.Broken.class);
    assertThat(client.ask(script).status()).isEqualTo(500);
    assertThat(client.ask(script).text()).isEqualTo("fine");
  }

  @Test
  void a_page_comes_instead_of_json() {
    ChatClient.Reply reply = client.ask("[[html 502]]");

    assertThat(reply.status()).isEqualTo(502);
    assertThat(reply.response().headers().firstValue("Content-Type")).contains("text/html");
    assertThat(reply.response().body()).startsWith("<!DOCTYPE html>");
    assertThat(client.ask("[[html]]").status()).isEqualTo(200);
  }

  @Test
  void an_error_in_the_stream_ends_it_without_done() {
    ChatClient.Reply reply = client.ask("[[say Hello]] [[stream-error Overloaded]] [[say no]]");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(ChatClient.parse(reply.data().getLast()).at("/error/message").asText())
        .isEqualTo("Overloaded");
    assertThat(reply.response().body()).contains("Hello").doesNotContain("[DONE]");
  }

  @Test
  void an_error_in_the_stream_is_a_status_when_nothing_is_streamed() {
    assertThat(client.askWhole("[[say Hello]] [[stream-error]]").status()).isEqualTo(500);
  }

  @Test
  void a_cut_stream_ends_without_terminator_and_done() throws IOException {
    try (RawClient raw = new RawClient(simulator)) {
      raw.post(ChatClient.streamed("user", "[[say Hello there]] [[cut]]").toString());

      assertThat(raw.restOfConnection())
          .startsWith("HTTP/1.1 200")
          .contains("Transfer-Encoding: chunked", "\"content\":\" there\"")
          .doesNotContain("[DONE]", "\r\n0\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void a_cut_before_any_output_sends_nothing(boolean stream) throws IOException {
    try (RawClient raw = new RawClient(simulator)) {
      raw.post(ChatClient.streamed("user", "[[cut]]").put("stream", stream).toString());

      assertThat(raw.line()).isNull();
    }
  }

  @Test
  void an_ended_stream_is_complete_but_says_no_more() {
    ChatClient.Reply reply = client.ask("[[say Hello]] [[end]]");

    assertThat(reply.data()).last().asString().contains("Hello");
    assertThat(client.askWhole("[[say Hello]] [[end]]").response().body()).isEmpty();
  }

  @Test
  void a_line_is_sent_as_it_is() {
    ChatClient.Reply reply =
        client.ask("[[line : keep-alive]][[line data: {\"broken]][[line event: ping]]");

    assertThat(reply.response().body())
        .contains("\n\n: keep-alive\n\ndata: {\"broken\n\nevent: ping\n\ndata: ");
  }

  @Test
  void a_stall_with_a_time_goes_on() {
    assertThat(client.ask("[[say a]][[stall 5ms]][[say b]]").text()).isEqualTo("ab");
    assertThat(client.askWhole("[[stall 5ms]][[say b]]").status()).isEqualTo(200);
  }

  @Test
  void a_stalled_stream_has_begun_and_waits_until_the_client_leaves() throws IOException {
    try (RawClient raw = new RawClient(simulator)) {
      raw.post(ChatClient.streamed("user", "[[stall]] stalled").toString());

      assertThat(raw.line()).isEqualTo("HTTP/1.1 200 OK");
      assertThat(simulator.awaitRequest(r -> says(r, "stalled"), SOON).ended()).isFalse();
    }
    simulator.awaitDisconnect(r -> says(r, "stalled"), SOON);
  }

  @Test
  void an_answer_that_never_starts_sends_not_even_a_status() throws IOException {
    try (RawClient raw = new RawClient(simulator)) {
      raw.post(ChatClient.streamed("user", "[[never]] silent").toString());
      Received request = simulator.awaitRequest(r -> says(r, "silent"), SOON);

      assertThat(raw.hasReceived()).isFalse();
      assertThat(request.ended()).isFalse();
    }
    simulator.awaitDisconnect(r -> says(r, "silent"), SOON);
  }

  private static boolean says(Received request, String text) {
    return request.body().at("/messages/0/content").asText().contains(text);
  }
}
