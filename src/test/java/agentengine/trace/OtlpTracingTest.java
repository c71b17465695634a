package agentengine.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.proto.trace.v1.Span;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What no scripted model brings about. */
class OtlpTracingTest {
  private final Collector collector = Collector.start();
  private final OtlpTracing tracing =
      new OtlpTracing(URI.create(collector.url() + "/v1/traces"), Map.of(), "test", "1");

  @AfterEach
  void stop() {
    tracing.close();
    collector.close();
  }

  @Test
  void cached_and_thought_tokens_are_told_where_a_provider_names_them() {
    agentengine.trace.Span turn = tracing.turn("helper", "session", 1, 1, null);
    String answer =
        turn.around(
            () -> {
              for (int call = 1; call <= 2; call++) {
                agentengine.trace.Span model = tracing.modelCall("openai", "m", "");
                model.used(100, 10, call == 1 ? 0 : 40, 5, 3);
                model.end(null);
              }
              return "done";
            },
            _ -> null);

    assertThat(answer).isEqualTo("done");
    List<Span> spans = collector.await(3);
    assertThat(Spans.attributes(Spans.all(spans, "chat m").getFirst()))
        .doesNotContainKey("gen_ai.usage.cache_read.input_tokens");
    assertThat(Spans.attributes(Spans.named(spans, "invoke_agent helper")))
        .containsEntry("gen_ai.usage.input_tokens", "200")
        .containsEntry("gen_ai.usage.output_tokens", "20")
        .containsEntry("gen_ai.usage.cache_read.input_tokens", "40")
        .containsEntry("gen_ai.usage.cache_creation.input_tokens", "10")
        .containsEntry("gen_ai.usage.reasoning.output_tokens", "6");
  }

  @Test
  void a_server_is_named_with_its_port_if_there_is_one() {
    for (String url :
        List.of(
            "https://a.example/v1", "http://b.example", "http://c.example:99/x", "simulator:[")) {
      tracing.modelCall("openai", "m", url).end(null);
    }

    assertThat(collector.await(4))
        .extracting(
            span ->
                Spans.attributes(span).get("server.address")
                    + " "
                    + Spans.attributes(span).get("server.port"))
        .containsExactlyInAnyOrder("a.example 443", "b.example 80", "c.example 99", "null null");
  }
}
