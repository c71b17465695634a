package agentengine.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ReceivedTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @Test
  void a_request_is_kept_with_body_and_credential() {
    try (Simulator simulator = Simulator.start(0);
        ChatClient client = new ChatClient(simulator)) {
      client.ask("[[say Hello]]");

      Received request = simulator.awaitRequest(Received::ended, SOON);
      assertThat(request.body().at("/messages/0/content").asText()).isEqualTo("[[say Hello]]");
      assertThat(request.header("Authorization")).isEqualTo("Bearer secret-of-the-test");
      assertThat(request.headers()).containsEntry("content-type", "application/json");
      assertThat(request.clientLeft()).isFalse();
      assertThat(simulator.requests()).containsExactly(request);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[say a]] [[stall]]",
        "[[say a]] [[delay 10m]]",
        "[[pace 5ms]] [[words 100000]]",
        "[[words 100000]] [[words 100000]] [[words 100000]]"
      })
  void a_client_that_leaves_is_noticed(String script) throws IOException {
    try (Simulator simulator = Simulator.start(0);
        ChatClient client = new ChatClient(simulator)) {
      try (InputStream answer = client.open(script)) {
        assertThat(answer.read()).isEqualTo('d');
      }

      assertThat(simulator.awaitDisconnect(any -> true, SOON).clientLeft()).isTrue();
    }
  }

  @Test
  void waiting_for_a_request_ends_with_an_error_when_none_comes() {
    try (Simulator simulator = Simulator.start(0)) {
      assertThatThrownBy(() -> simulator.awaitRequest(any -> true, Duration.ofMillis(1)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("No such request");
    }
  }

  @Test
  void waiting_for_a_request_ends_as_soon_as_it_comes() {
    try (Simulator simulator = Simulator.start(0);
        ChatClient client = new ChatClient(simulator)) {
      CompletableFuture<Received> waiting =
          CompletableFuture.supplyAsync(() -> simulator.awaitRequest(any -> true, SOON));

      client.ask("[[say Hello]]");

      assertThat(waiting.join().header("content-type")).isEqualTo("application/json");
    }
  }

  @Test
  void closing_ends_a_stalled_answer_and_one_that_never_started() throws IOException {
    Simulator simulator = Simulator.start(0);
    try (ChatClient client = new ChatClient(simulator);
        InputStream stalled = client.open("[[say a]] [[stall]]");
        RawClient silent = new RawClient(simulator)) {
      silent.post(ChatClient.streamed("user", "[[never]]").toString());
      simulator.awaitRequest(r -> r.body().toString().contains("never"), SOON);

      simulator.close();

      BufferedReader lines =
          new BufferedReader(new InputStreamReader(stalled, StandardCharsets.UTF_8));
      assertThatThrownBy(
              () -> {
                while (lines.readLine() != null) {
                  // The end of the connection is what is waited for.
                }
              })
          .isInstanceOf(IOException.class);
      assertThat(silent.line()).isNull();
    }
  }

  @Test
  void the_log_forgets_the_oldest_beyond_its_number_and_its_size() {
    ReceivedLog log = new ReceivedLog();
    for (int i = 0; i < 1_001; i++) {
      log.add(new Received(Map.of("n", String.valueOf(i)), new byte[0]));
    }
    assertThat(log.all()).hasSize(1_000).first().extracting(r -> r.header("n")).isEqualTo("1");

    byte[] large = new byte[8 * 1024 * 1024];
    for (int i = 0; i < 5; i++) {
      log.add(new Received(Map.of(), large));
    }
    assertThat(log.all()).hasSize(4);
  }

  @Test
  void the_counters_of_attempts_forget_the_oldest_keys() {
    Attempts attempts = new Attempts();
    assertThat(attempts.next("first")).isEqualTo(1);
    assertThat(attempts.next("first")).isEqualTo(2);

    for (int i = 0; i < 1_000; i++) {
      attempts.next("key " + i);
    }

    assertThat(attempts.next("first")).isEqualTo(1);
  }
}
