package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import agentengine.testing.process.Eventually;
import agentengine.testing.process.ServerEvent;
import agentengine.testing.process.ToolServer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Turns in every phase, one kill for all of them, and what the restarted engine makes of each. */
@ParameterizedClass
@EnumSource
class KilledInEveryPhaseTest {
  private static final String INTERRUPTED = "interrupted, outcome unknown";

  private static final Map<TestDatabases.Kind, CrashScene> SCENES =
      new EnumMap<>(TestDatabases.Kind.class);

  private final CrashScene scene;

  KilledInEveryPhaseTest(TestDatabases.Kind kind) {
    scene = Objects.requireNonNull(SCENES.get(kind));
  }

  @BeforeParameterizedClassInvocation
  static void killAnEngineWithTurnsInEveryPhase(TestDatabases.Kind kind) {
    CrashScene scene = new CrashScene(kind);
    SCENES.put(kind, scene);
    new EveryPhase(scene).killAndRestart();
  }

  @AfterParameterizedClassInvocation
  static void close() {
    SCENES.values().forEach(CrashScene::close);
    SCENES.clear();
  }

  private String gated(String name) {
    return scene.story(name).sessionId();
  }

  private String gate(String name) {
    return scene.story(name).gates().getFirst();
  }

  private Story finish(String name) {
    return scene.story(name).finish(scene.client());
  }

  private Story answerAndFinish(String name, String answer) {
    assertThat(scene.client().session(gated(name)).path("pending").findValuesAsText("call_id"))
        .containsExactly(gate(name));
    assertThat(scene.client().respond(gated(name), gate(name), answer)).isEqualTo(200);
    return finish(name);
  }

  @Test
  void a_message_that_was_only_just_accepted_is_answered() {
    Story story = finish("accepted");
    assertThat(story.names()).containsExactly("message", "done");
    assertThat(story.answer()).isEqualTo("Heard you");
  }

  @Test
  void a_turn_that_was_over_is_kept_as_it_was() {
    Story story = finish("over");
    assertThat(story.names()).containsExactly("message", "done");
    assertThat(story.answer()).isEqualTo("I said it");
  }

  @Test
  void a_turn_that_nobody_follows_any_more_ends_too() {
    String session = scene.story("left").sessionId();
    Eventually.until(
        "the turn has ended",
        () -> scene.client().session(session).path("status").asText().equals("idle"));
    assertThat(scene.client().session(session).path("messages").findValuesAsText("content"))
        .hasSize(2)
        .last()
        .isEqualTo("Alone");
  }

  @Test
  void a_step_that_was_streaming_begins_again() {
    Story story = finish("streaming");
    assertThat(story.names()).containsExactly("message", "done");
    assertThat(story.answer()).isEqualTo("Started");
    assertThat(story.durable()).extracting(ServerEvent::id).allMatch(id -> id.startsWith("1.2."));
  }

  @Test
  void a_turn_between_two_steps_goes_on_with_the_second() {
    Story story = finish("between steps");
    assertThat(story.names()).containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(story.answer()).isEqualTo("It gave: ran-m-step");
    assertThat(scene.requests("m-step")).hasSize(1);
  }

  @Test
  void an_unsafe_tool_that_was_running_does_not_run_again_and_the_model_is_told() {
    Story story = finish("charge");
    assertThat(story.names()).containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(story.result()).contains(INTERRUPTED);
    assertThat(story.answer()).contains(INTERRUPTED);
    assertThat(scene.requests("m-charge")).hasSize(1);
  }

  @Test
  void an_idempotent_tool_that_was_running_runs_again_with_the_same_key() {
    Story story = finish("store");
    assertThat(story.names()).containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(story.answer()).isEqualTo("It gave: ran-m-store");
    assertThat(scene.requests("m-store")).hasSize(2);
    assertThat(scene.requests("m-store"))
        .extracting(ToolServer.Request::idempotencyKey)
        .doesNotContainNull()
        .containsOnly(scene.requests("m-store").getFirst().idempotencyKey());
  }

  @Test
  void a_tool_that_only_reads_and_was_running_runs_again() {
    Story story = finish("look");
    assertThat(story.names()).containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(story.answer()).isEqualTo("It gave: ran-m-look");
    assertThat(scene.requests("m-look")).hasSize(2);
  }

  @Test
  void a_result_that_was_given_at_that_moment_is_kept_or_unknown_but_never_asked_for_again() {
    Story story = finish("given");
    assertThat(story.names()).containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(story.answer()).containsAnyOf("ran-m-given", INTERRUPTED);
    assertThat(scene.requests("m-given")).hasSize(1);
  }

  @Test
  void of_parallel_calls_each_is_taken_up_as_its_effect_allows() {
    Story story = finish("parallel");
    assertThat(story.names())
        .containsOnlyOnce("message", "done")
        .filteredOn(name -> name.equals("tool_call"))
        .hasSize(3);
    assertThat(story.names()).filteredOn(name -> name.equals("tool_result")).hasSize(3);
    assertThat(story.answer())
        .containsSubsequence("They gave: ran-m-first", INTERRUPTED, "ran-m-third");
    assertThat(scene.requests("m-second")).hasSize(1);
    assertThat(scene.requests("m-third")).hasSize(2);
  }

  @Test
  void a_gate_can_be_approved_after_the_restart() {
    Story story = answerAndFinish("approved", "approve");
    assertThat(story.names())
        .containsExactly("confirmation", "tool_call", "tool_result", "message", "done");
    assertThat(story.answer()).isEqualTo("It gave: ran-m-approved");
    assertThat(scene.requests("m-approved")).hasSize(1);
    assertThat(scene.client().respond(gated("approved"), gate("approved"), "approve"))
        .isEqualTo(409);
  }

  @Test
  void a_gate_can_be_rejected_after_the_restart() {
    Story story = answerAndFinish("rejected", "reject: too dear");
    assertThat(story.names()).containsExactly("confirmation", "tool_result", "message", "done");
    assertThat(story.answer()).contains("too dear");
    assertThat(scene.requests("m-rejected")).isEmpty();
  }

  @Test
  void a_gate_that_was_answered_just_before_is_not_opened_again() {
    assertThat(scene.client().respond(gated("answered"), gate("answered"), "reject: no"))
        .isEqualTo(409);
    Story story = finish("answered");
    assertThat(story.names())
        .containsExactly("confirmation", "tool_call", "tool_result", "message", "done");
    assertThat(story.answer()).containsAnyOf("ran-m-answered", INTERRUPTED);
    assertThat(scene.requests("m-answered")).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void two_gates_that_were_open_at_once_are_answered_one_by_one() {
    List<String> gates = scene.story("two gates").gates();
    String session = gated("two gates");
    assertThat(scene.client().respond(session, gates.getLast(), "reject: one is enough"))
        .isEqualTo(200);
    assertThat(scene.client().session(session).path("pending").findValuesAsText("call_id"))
        .containsExactly(gates.getFirst());
    assertThat(scene.client().respond(session, gates.getFirst(), "approve")).isEqualTo(200);

    Story story = finish("two gates");
    assertThat(story.names())
        .filteredOn(name -> !name.equals("tool_call"))
        .containsExactly(
            "confirmation", "confirmation", "tool_result", "tool_result", "message", "done");
    assertThat(story.names()).containsOnlyOnce("tool_call");
    assertThat(story.answer()).containsSubsequence("They gave: ran-m-one", "one is enough");
    assertThat(scene.requests("m-one")).hasSize(1);
    assertThat(scene.requests("m-two")).isEmpty();
  }

  @Test
  void a_sub_agent_that_was_streaming_begins_its_step_again() {
    Story story = finish("clerk streams");
    assertThat(story.names()).containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(story.answer()).isEqualTo("The clerk says: I follow");
  }

  @Test
  void a_tool_of_a_sub_agent_is_taken_up_as_its_effect_allows() {
    Story unsafe = finish("clerk charge");
    assertThat(unsafe.names()).containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(unsafe.answer()).startsWith("The clerk says: ").contains(INTERRUPTED);
    assertThat(scene.requests("m-clerk-charge")).hasSize(1);

    Story idempotent = finish("clerk store");
    assertThat(idempotent.names()).containsExactly("tool_call", "tool_result", "message", "done");
    assertThat(idempotent.answer()).isEqualTo("The clerk says: It gave: ran-m-clerk-store");
    assertThat(scene.requests("m-clerk-store"))
        .hasSize(2)
        .extracting(ToolServer.Request::idempotencyKey)
        .doesNotContainNull()
        .containsOnly(scene.requests("m-clerk-store").getFirst().idempotencyKey());
  }

  @Test
  void a_gate_of_a_sub_agent_is_answered_on_the_root_session() {
    Story approved = answerAndFinish("clerk approved", "approve");
    assertThat(approved.names())
        .containsExactly("tool_call", "confirmation", "tool_result", "message", "done");
    assertThat(approved.answer()).isEqualTo("The clerk says: It gave: ran-m-clerk-approved");
    assertThat(scene.requests("m-clerk-approved")).hasSize(1);

    Story rejected = answerAndFinish("clerk rejected", "reject: not today");
    assertThat(rejected.names())
        .containsExactly("tool_call", "confirmation", "tool_result", "message", "done");
    assertThat(rejected.answer()).startsWith("The clerk says: ").contains("not today");
    assertThat(scene.requests("m-clerk-rejected")).isEmpty();
  }
}
