package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.model.ModelVerification.ToolCalling;
import agentengine.simulator.Simulator;
import agentengine.testing.FakeServer;
import agentengine.time.Watchdog;
import agentengine.trace.NoTracing;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How long trying a model may take, and with which kinds. */
class ModelVerifierTest {
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final String PONG =
      """
      data: {"choices":[{"delta":{"content":"pong"},"finish_reason":"stop"}]}

      data: [DONE]

      """;

  private final Watchdog watchdog = new Watchdog();
  private final CountDownLatch over = new CountDownLatch(1);
  private final ModelClient client =
      new ModelClient(
          url -> url,
          new ModelRegistry(),
          watchdog,
          () -> ModelCaller.LIMITS,
          new SimpleMeterRegistry(),
          NoTracing.OFF);

  @AfterEach
  void close() {
    over.countDown();
    watchdog.close();
  }

  @Test
  void a_model_that_calls_tools_is_found_out() {
    try (Simulator simulator = Simulator.start(0)) {
      ModelVerification result =
          verify(ProviderKind.OPENAI_COMPATIBLE, simulator.baseUrl(), ModelVerifier.LIMIT);

      assertThat(result.error()).isNull();
      assertThat(result.toolCalling()).isEqualTo(ToolCalling.SUPPORTED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void every_kind_can_be_tried(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    ToolRequest ready = new ToolRequest("call-1", "report_ready", "{\"ready\":true}");
    try (FakeServer server =
        FakeServer.start(
            (request, out) ->
                FakeServer.write(
                    out,
                    request.body().contains("report_ready")
                        ? dialect.answer(new Dialect.Piece.Calls(List.of(ready)))
                        : dialect.saying("pong")))) {
      ModelVerification result =
          verify(kind, server.url() + dialect.basePath(), ModelVerifier.LIMIT);

      assertThat(result.error()).isNull();
      assertThat(result.toolCalling()).isEqualTo(ToolCalling.SUPPORTED);
      assertThat(server.requests()).hasSize(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_kind_that_refuses_the_key_says_so_and_is_not_asked_for_more(ProviderKind kind) {
    Dialect dialect = Dialect.of(kind);
    try (FakeServer server =
        FakeServer.start(
            (_, out) -> FakeServer.write(out, dialect.refusal(401, "not " + ModelCaller.KEY)))) {
      ModelVerification result =
          verify(kind, server.url() + dialect.basePath(), ModelVerifier.LIMIT);

      assertThat(result.isReachable()).isFalse();
      assertThat(result.error()).contains("401").contains("not").doesNotContain(ModelCaller.KEY);
      assertThat(result.toolCalling()).isEqualTo(ToolCalling.SKIPPED);
      assertThat(server.requests()).hasSize(1);
    }
  }

  @Test
  void a_provider_that_never_answers_is_given_up_when_the_time_is_over() {
    try (FakeServer silent = FakeServer.start((_, _) -> awaitTheEnd())) {
      ModelVerification result = verify(ProviderKind.OLLAMA, silent.url(), SHORT);

      assertThat(result.isReachable()).isFalse();
      assertThat(result.error()).isEqualTo("the provider did not answer within 300ms");
      assertThat(result.toolCalling()).isEqualTo(ToolCalling.SKIPPED);
      assertThat(result.responseTimeMs()).isBetween(300L, 30_000L);
    }
  }

  @Test
  void a_provider_that_trickles_has_no_more_time_than_one_that_is_silent() {
    try (FakeServer endless =
        FakeServer.start(
            (_, out) -> {
              FakeServer.write(out, FakeServer.ok("text/event-stream"));
              trickle(out);
            })) {
      ModelVerification result = verify(ProviderKind.OPENAI_COMPATIBLE, endless.url(), SHORT);

      assertThat(result.error()).contains("within 300ms");
    }
  }

  @Test
  void a_provider_that_falls_silent_when_it_is_offered_a_tool_is_reachable_without_tools() {
    try (FakeServer half =
        FakeServer.start(
            (request, out) -> {
              if (request.body().contains("report_ready")) {
                awaitTheEnd();
              }
              FakeServer.write(out, FakeServer.ok("text/event-stream") + PONG);
            })) {
      ModelVerification result =
          verify(ProviderKind.OPENAI_COMPATIBLE, half.url(), Duration.ofSeconds(2));

      assertThat(result.isReachable()).isTrue();
      assertThat(result.toolCalling()).isEqualTo(ToolCalling.NOT_DETECTED);
    }
  }

  /** On a virtual thread, as a request's is: only there does an interrupt end a read. */
  private ModelVerification verify(ProviderKind kind, String baseUrl, Duration limit) {
    AtomicReference<@Nullable ModelVerification> result = new AtomicReference<>();
    Thread thread =
        Thread.ofVirtual()
            .start(
                () ->
                    result.set(
                        new ModelVerifier(client, watchdog, limit)
                            .verify(ModelCaller.record(kind, baseUrl))));
    try {
      assertThat(thread.join(Duration.ofSeconds(60))).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return Objects.requireNonNull(result.get());
  }

  private void awaitTheEnd() {
    try {
      boolean _ = over.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void trickle(OutputStream out) throws IOException {
    try {
      while (!over.await(20, TimeUnit.MILLISECONDS)) {
        FakeServer.write(out, "data: {\"choices\":[{\"delta\":{\"content\":\"po\"}}]}\n\n");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
