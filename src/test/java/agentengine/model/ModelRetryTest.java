package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.simulator.Simulator;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When a model is asked again, and when not. */
class ModelRetryTest {
  private static final Simulator SIMULATOR = Simulator.start(0);
  private static final ModelCaller MODEL =
      ModelCaller.of(ProviderKind.OPENAI_COMPATIBLE, SIMULATOR.baseUrl());

  // All three tries take more than a second, so they do it while the other tests run.
  private static final ModelCaller.Running BUSY =
      MODEL.begin("[[error 503 times=2 key=busy]] [[say Third time]]");
  private static final ModelCaller.Running STAYS_BUSY =
      MODEL.begin("[[error 503 all is full]] stays-busy");

  @AfterAll
  static void close() {
    MODEL.close();
    SIMULATOR.close();
  }

  @Test
  void a_busy_provider_is_asked_up_to_three_times() {
    assertThat(BUSY.outcome().good().text()).isEqualTo("Third time");
    assertThat(tries("key=busy")).isEqualTo(3);
  }

  @Test
  void a_provider_that_stays_busy_is_given_up_after_three_tries() {
    ModelException failure = STAYS_BUSY.outcome().bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure.reason()).contains("503").contains("all is full");
    assertThat(tries("stays-busy")).isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 429, 500, 502})
  void statuses_that_may_pass_are_worth_another_try(int status) {
    String key = "passes-" + status;

    assertThat(MODEL.ask("[[error " + status + " times=1 key=" + key + "]] [[say ok]]").good())
        .isNotNull();
    assertThat(tries(key)).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403, 404, 422})
  void a_refusal_is_final(int status) {
    String mark = "refused-" + status;
    ModelException failure = MODEL.ask("[[error " + status + " no such luck]] " + mark).bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.REFUSED);
    assertThat(failure.reason()).contains(Integer.toString(status)).contains("no such luck");
    assertThat(tries(mark)).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({"401, api_key", "403, api_key", "404, model_name"})
  void a_refusal_says_what_to_check(int status, String field) {
    assertThat(MODEL.ask("[[error " + status + "]]").bad().reason()).contains(field);
  }

  @Test
  void a_provider_that_asks_for_a_pause_gets_it() {
    long start = System.nanoTime();
    ModelCaller.Outcome outcome =
        MODEL.ask("[[error 429 retry-after=1 times=1 key=pause]] [[say Rested]]");

    assertThat(outcome.good().text()).isEqualTo("Rested");
    // A pause cannot be too short, however slow the machine: the usual one is a quarter of this.
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofSeconds(1));
  }

  @Test
  void a_provider_that_asks_for_a_long_pause_is_given_up_at_once() {
    ModelException failure =
        MODEL.ask("[[error 429 retry-after=60 times=1 key=long]] [[say Too late]]").bad();

    assertThat(failure.kind()).isEqualTo(ModelException.Kind.UNAVAILABLE);
    assertThat(failure.retryAfter()).isEqualTo(Duration.ofMinutes(1));
    assertThat(tries("key=long")).isEqualTo(1);
  }

  @Test
  void a_connection_that_breaks_before_the_answer_is_tried_again() {
    assertThat(MODEL.ask("[[cut times=1 key=cut]] [[say Here]]").good().text()).isEqualTo("Here");
    assertThat(tries("key=cut")).isEqualTo(2);
  }

  @Test
  void an_answer_that_broke_before_its_first_piece_is_tried_again() {
    assertThat(MODEL.ask("[[end times=1 key=end]] [[say Here]]").good().text()).isEqualTo("Here");
    assertThat(MODEL.ask("[[stream-error times=1 key=err oh]] [[say Here]]").good().text())
        .isEqualTo("Here");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[say Half an]] [[cut]]",
        "[[say Half an]] [[end]]",
        "[[say Half an]] [[stream-error overloaded]]",
        "[[think Half an]] [[cut]]"
      })
  void nothing_is_asked_again_after_something_was_heard(String script) {
    String mark = "heard " + script.hashCode();
    ModelCaller.Outcome outcome = MODEL.ask(script + mark);

    assertThat(outcome.bad().retriable()).isTrue();
    assertThat(outcome.heard()).hasSize(2);
    assertThat(tries(mark)).isEqualTo(1);
  }

  @Test
  void a_call_that_is_cancelled_between_two_tries_ends_there() {
    ModelCaller.Running call = MODEL.begin("[[error 429 retry-after=9]] resting");
    SIMULATOR.awaitRequest(
        request -> request.body().toString().contains("resting") && request.ended(),
        Duration.ofSeconds(30));
    call.cancel();

    ModelCaller.Outcome outcome = call.outcome();
    assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.CANCELLED);
    assertThat(outcome.leftInterrupted()).isFalse();
    assertThat(tries("resting")).isEqualTo(1);
  }

  private static long tries(String text) {
    return SIMULATOR.requests().stream()
        .filter(request -> request.body().toString().contains(text))
        .count();
  }
}
