package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.simulator.Simulator;
import agentengine.testing.FakeServer;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When another model stands in for one that fails, and when not. */
class FallbackTest {
  private static final Simulator SIMULATOR = Simulator.start(0);
  private static final FakeServer BROKEN = FakeServer.start(FallbackTest::fail);
  private static final ModelRecord FIRST =
      ModelCaller.record("first", ProviderKind.OPENAI_COMPATIBLE, BROKEN.url() + "/v1");
  private static final ModelRecord SECOND =
      ModelCaller.record("second", ProviderKind.OPENAI_COMPATIBLE, BROKEN.url() + "/v2");
  private static final ModelRecord GOOD =
      ModelCaller.record("good", ProviderKind.OPENAI_COMPATIBLE, SIMULATOR.baseUrl());
  private static final ModelCaller MODELS = ModelCaller.of(FIRST, GOOD);
  private static final ModelCaller BROKEN_MODELS = ModelCaller.of(FIRST, SECOND);

  // All tries of a model take more than a second, so they do it while the other tests run.
  private static final ModelCaller.Running BUSY = MODELS.begin("[[say I can]] fail-503 first-busy");
  private static final ModelCaller.Running ALL_BUSY = BROKEN_MODELS.begin("fail-503 all-busy");

  @AfterAll
  static void close() {
    MODELS.close();
    BROKEN_MODELS.close();
    BROKEN.close();
    SIMULATOR.close();
  }

  /** Fails in the way that the message asks for. */
  private static void fail(FakeServer.Request request, OutputStream out) throws IOException {
    String body = request.body();
    if (body.contains("fail-heard")) {
      String field = body.contains("fail-heard-text") ? "content" : "reasoning_content";
      FakeServer.write(
          out,
          FakeServer.cutShort("text/event-stream")
              + "data: {\"choices\":[{\"index\":0,\"delta\":{\""
              + field
              + "\":\"Half an\"}}]}\n\n");
      return;
    }
    int at = body.indexOf("fail-") + "fail-".length();
    String status =
        request.head().contains("/refusing") ? "401" : body.substring(at, at + "503".length());
    FakeServer.write(
        out,
        "HTTP/1.1 "
            + status
            + " No\r\n"
            + (body.contains("for-an-hour") ? "Retry-After: 3600\r\n" : "")
            + (body.contains("for-a-moment") ? "Retry-After: 9\r\n" : "")
            + "Content-Length: 0\r\nConnection: close\r\n\r\n");
  }

  @Test
  void the_next_model_answers_when_the_first_has_failed_three_times() {
    ModelCaller.Outcome outcome = BUSY.outcome();

    assertThat(outcome.good().text()).isEqualTo("I can");
    assertThat(outcome.servedBy()).isEqualTo("good");
    assertThat(broken("first-busy", "/v1")).isEqualTo(3);
    assertThat(good("first-busy")).isEqualTo(1);
  }

  @Test
  void when_all_fail_each_was_asked_three_times_and_the_error_says_why_of_each() {
    ModelException failure = ALL_BUSY.outcome().bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure.reason())
        .isEqualTo(
            "2 models failed: first: the provider answered 503; second: the provider answered 503");
    assertThat(broken("all-busy", "/v1")).isEqualTo(3);
    assertThat(broken("all-busy", "/v2")).isEqualTo(3);
  }

  @Test
  void the_kind_of_the_last_failure_is_that_of_all() {
    try (ModelCaller models =
        ModelCaller.of(
            FIRST,
            ModelCaller.record(
                "old", ProviderKind.OPENAI_COMPATIBLE, BROKEN.url() + "/refusing"))) {
      ModelException failure = models.ask("fail-429 for-an-hour then-refused").bad();

      assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
      assertThat(failure.reason()).contains("first: ").contains("old: ");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404})
  void a_refusal_is_not_covered_up_by_another_model(int status) {
    String message = "[[say Me]] fail-" + status + " refused-" + status;

    ModelException failure = MODELS.ask(message).bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
    assertThat(failure.reason()).contains(Integer.toString(status)).doesNotContain("models failed");
    assertThat(broken("refused-" + status, "/v1")).isEqualTo(1);
    assertThat(good("refused-" + status)).isZero();
  }

  @Test
  void a_model_that_wants_an_hours_rest_is_stood_in_for_at_once() {
    try (ModelCaller models = ModelCaller.of(FIRST, SECOND, GOOD)) {
      ModelCaller.Outcome outcome = models.ask("[[say Me]] fail-429 for-an-hour");

      assertThat(outcome.servedBy()).isEqualTo("good");
      assertThat(broken("for-an-hour", "/v2")).isEqualTo(1);
      assertThat(models.fallbacksFrom("first")).isEqualTo(1);
      assertThat(models.fallbacksFrom("second")).isEqualTo(1);
      assertThat(models.fallbacksFrom("good")).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fail-heard-text", "fail-heard-thinking"})
  void nobody_stands_in_once_something_was_heard(String how) {
    ModelCaller.Outcome outcome = MODELS.ask("[[say Me]] " + how);

    assertThat(outcome.heard()).hasSize(1);
    assertThat(outcome.bad().retriable()).isTrue();
    assertThat(broken(how, "/v1")).isEqualTo(1);
    assertThat(good(how)).isZero();
  }

  @Test
  void a_call_that_is_cancelled_goes_to_no_other_model() {
    ModelCaller.Running call = MODELS.begin("[[say Me]] fail-429 for-a-moment");
    awaitBroken("for-a-moment");
    call.cancel();

    assertThat(call.outcome().bad().kind()).isEqualTo(ModelException.Kind.CANCELLED);
    assertThat(good("for-a-moment")).isZero();
  }

  private static void awaitBroken(String text) {
    long deadline = System.nanoTime() + Duration.ofSeconds(30).toNanos();
    while (broken(text, "/v1") == 0) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.onSpinWait();
    }
  }

  private static long broken(String text, String path) {
    return BROKEN.requests().stream()
        .filter(request -> request.body().contains(text) && request.head().contains(path))
        .count();
  }

  private static long good(String text) {
    return SIMULATOR.requests().stream()
        .filter(request -> request.body().toString().contains(text))
        .count();
  }
}
