package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.simulator.Received;
import agentengine.simulator.Simulator;
import agentengine.testing.FakeServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The key goes to its provider, and nowhere else. */
class ModelKeyTest {
  @Test
  void the_key_is_sent_as_a_bearer_token_and_nowhere_else() {
    try (Simulator simulator = Simulator.start(0);
        ModelCaller model = ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, simulator.baseUrl())) {
      model.ask("[[say Hi]]").good();

      Received request = simulator.requests().getFirst();
      assertThat(request.header("Authorization")).isEqualTo("Bearer " + ModelCaller.KEY);
      assertThat(request.body().toString()).doesNotContain(ModelCaller.KEY);
      assertThat(request.headers().entrySet().stream())
          .filteredOn(header -> header.getValue().contains(ModelCaller.KEY))
          .hasSize(1);
    }
  }

  @Test
  void a_record_does_not_show_its_key() {
    ModelRecord model = ModelCaller.record(ProviderKind.OPENAI_COMPATIBLE, "http://localhost/v1");

    assertThat(model.toString()).doesNotContain(ModelCaller.KEY).contains("***");
    assertThat(String.valueOf(model.apiKey())).isEqualTo("***");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[error 401 the key key-of-the-model is wrong]]",
        "[[error 400 key-of-the-model]]",
        "[[say Half]] [[stream-error key-of-the-model is blocked]]",
        "[[line data: key-of-the-model]]",
        "[[line data: {\"choices\":[{\"delta\":{\"content\":key-of-the-model]]",
        "[[line data: {\"choices\":\"key-of-the-model\"}]]",
        "[[say Half]] [[cut]]"
      })
  void a_provider_that_repeats_the_key_does_not_make_a_failure_show_it(String script) {
    try (Simulator simulator = Simulator.start(0);
        ModelCaller model = ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, simulator.baseUrl())) {
      assertThat(all(model.ask(script).bad())).doesNotContain(ModelCaller.KEY);
    }
  }

  @Test
  void a_key_in_a_complaint_that_is_too_long_to_be_told_is_not_shown_in_part() {
    String complaint = "x".repeat(495) + ModelCaller.KEY;
    try (FakeServer server =
            FakeServer.start(
                (_, out) ->
                    FakeServer.write(
                        out, "HTTP/1.1 400 Bad\r\nConnection: close\r\n\r\n" + complaint));
        ModelCaller model = ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, server.url())) {
      assertThat(all(model.ask("Hello").bad())).doesNotContain("key-");
    }
  }

  /** The failure with all its causes, as a log would show it. */
  private static String all(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
