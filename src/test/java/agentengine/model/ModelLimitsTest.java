package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.simulator.Simulator;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/** How a call ends that takes too long, or that nobody wants any more. */
class ModelLimitsTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final Simulator SIMULATOR = Simulator.start(0);
  private static final ModelCaller PATIENT = model(LONG, LONG);
  private static final ModelCaller STEADY = model(LONG, Duration.ofSeconds(2));
  private static final ModelCaller HASTY = model(SHORT, LONG);

  // These take seconds, so they do it while the other tests run.
  private static final ModelCaller.Running SLOW = STEADY.begin("[[pace 250ms]] [[words 10]]");
  private static final ModelCaller.Running NEVER = HASTY.begin("[[never]] does-not-begin");

  @AfterAll
  static void close() {
    PATIENT.close();
    STEADY.close();
    HASTY.close();
    SIMULATOR.close();
  }

  private static ModelCaller model(Duration firstToken, Duration stall) {
    return ModelCaller.of(
        ProviderKind.OPENAI_COMPATIBLE,
        SIMULATOR.baseUrl(),
        // The time to connect counts before the first token too, so it is short as well.
        new ModelLimits(Duration.ofMillis(200), firstToken, stall));
  }

  @Test
  void a_provider_that_does_not_begin_in_time_is_left() {
    ModelCaller.Outcome outcome = NEVER.outcome();

    assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.TIMEOUT);
    assertThat(outcome.bad().reason()).contains("in time");
    assertThat(outcome.leftInterrupted()).isFalse();
    SIMULATOR.awaitDisconnect(r -> r.body().toString().contains("does-not-begin"), SOON);
  }

  @Test
  void a_provider_that_stops_in_the_middle_is_left() {
    try (ModelCaller hasty = model(LONG, SHORT)) {
      ModelCaller.Outcome outcome = hasty.ask("[[say Half an]] [[stall]] stops-halfway");

      assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.TIMEOUT);
      assertThat(outcome.heard()).containsExactly("text Half", "text  an");
      assertThat(outcome.leftInterrupted()).isFalse();
      SIMULATOR.awaitDisconnect(r -> r.body().toString().contains("stops-halfway"), SOON);
    }
  }

  @Test
  void a_slow_provider_that_keeps_going_is_not_left() {
    // Longer than the limit altogether, but never so between two pieces.
    assertThat(SLOW.outcome().good().text()).endsWith("word10");
  }

  @Test
  void a_cancelled_call_ends_and_the_provider_sees_it() {
    ModelCaller.Running call = PATIENT.begin("[[say Half an]] [[stall]] cancelled-halfway");
    call.awaitFirstPiece();
    call.cancel();

    ModelCaller.Outcome outcome = call.outcome();
    assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.CANCELLED);
    assertThat(outcome.leftInterrupted()).isFalse();
    SIMULATOR.awaitDisconnect(r -> r.body().toString().contains("cancelled-halfway"), SOON);
  }

  @Test
  void a_call_is_cancelled_before_its_first_piece_just_as_well() {
    ModelCaller.Running call = PATIENT.begin("[[never]] cancelled-early");
    SIMULATOR.awaitRequest(r -> r.body().toString().contains("cancelled-early"), SOON);
    call.cancel();

    ModelCaller.Outcome outcome = call.outcome();
    assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.CANCELLED);
    assertThat(outcome.leftInterrupted()).isFalse();
    SIMULATOR.awaitDisconnect(r -> r.body().toString().contains("cancelled-early"), SOON);
  }

  @Test
  void a_call_that_was_cancelled_before_it_began_asks_nobody_for_long() {
    for (int i = 0; i < 50; i++) {
      ModelCaller.Running call = PATIENT.begin("[[never]] cancelled-at-once");
      call.cancel();

      ModelCaller.Outcome outcome = call.outcome();
      assertThat(outcome.bad().kind()).isEqualTo(ModelException.Kind.CANCELLED);
      assertThat(outcome.leftInterrupted()).isFalse();
    }
  }

  @Test
  void a_cancellation_that_comes_with_the_end_of_the_answer_leaves_no_interrupt_behind() {
    for (int i = 0; i < 100; i++) {
      ModelCaller.Running call = PATIENT.begin("[[say So fast]]");
      call.awaitFirstPiece();
      call.cancel();

      ModelCaller.Outcome outcome = call.outcome();
      assertThat(outcome.leftInterrupted()).isFalse();
      assertThat(outcome.answer() != null || outcome.bad().kind() == ModelException.Kind.CANCELLED)
          .isTrue();
    }
  }

  @Test
  void calls_go_on_working_after_others_were_cut_off() {
    for (int i = 0; i < 20; i++) {
      ModelCaller.Running call = PATIENT.begin("[[say Half]] [[stall]]");
      call.awaitFirstPiece();
      call.cancel();
      assertThat(call.outcome().bad().kind()).isEqualTo(ModelException.Kind.CANCELLED);
      assertThat(PATIENT.ask("[[say Whole " + i + "]]").good().text()).isEqualTo("Whole " + i);
    }
  }
}
