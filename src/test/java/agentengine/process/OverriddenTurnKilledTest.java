package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import agentengine.testing.process.ServerEvent;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The key of a turn's request is gone with the process: such turns end, and nothing goes on. */
@ParameterizedClass
@EnumSource
class OverriddenTurnKilledTest {
  private static final String KEY = "key-of-the-caller";
  private static final String SAY_RESULT = " [[then]] [[say It gave: {{result}}]]";

  private static final Map<TestDatabases.Kind, CrashScene> SCENES =
      new EnumMap<>(TestDatabases.Kind.class);

  private final CrashScene scene;

  OverriddenTurnKilledTest(TestDatabases.Kind kind) {
    scene = Objects.requireNonNull(SCENES.get(kind));
  }

  @BeforeParameterizedClassInvocation
  static void killAnEngineBelowTurnsWithTheirOwnKey(TestDatabases.Kind kind) {
    CrashScene scene = new CrashScene(kind);
    SCENES.put(kind, scene);
    begin(scene, "asking", "[[never times=1 key=asking]] [[say No]]");
    scene.awaitModelCall("key=asking");
    begin(scene, "streaming", "[[chunk Be]] [[stall times=1 key=streaming]]")
        .through("message_delta");
    begin(scene, "gate", CrashScene.call("wire", "o-gate") + SAY_RESULT).through("confirmation");
    begin(scene, "tool", CrashScene.heldCall("store", "o-tool") + SAY_RESULT);
    scene.tools().awaitArrival("o-tool");
    begin(scene, "clerk asks", CrashScene.delegate("[[never times=1 key=clerk-asks]] [[say No]]"));
    scene.awaitModelCall("key=clerk-asks");
    begin(
            scene,
            "clerk's gate",
            CrashScene.delegate(CrashScene.call("wire", "o-clerk") + SAY_RESULT))
        .through("confirmation");
    scene
        .begin("ordinary", "[[chunk Be]] [[stall times=1 key=ordinary]] [[chunk gun]]")
        .through("message_delta");
    scene.killAndRestart();
  }

  private static Story begin(CrashScene scene, String name, String script) {
    return scene.beginWithKey(name, script, KEY);
  }

  @AfterParameterizedClassInvocation
  static void close() {
    SCENES.values().forEach(CrashScene::close);
    SCENES.clear();
  }

  @Test
  void a_turn_that_waited_for_its_model_ends_with_an_error_and_asks_nobody_else() {
    assertEnded("asking", List.of("error"));

    assertThat(scene.modelCalls("key=asking"))
        .extracting(request -> request.header("Authorization"))
        .containsExactly("Bearer " + KEY);
    assertTakesTheNextMessage("asking");
  }

  @Test
  void a_turn_whose_model_was_speaking_ends_with_an_error() {
    assertEnded("streaming", List.of("error"));
    assertTakesTheNextMessage("streaming");
  }

  @Test
  void a_tool_that_waited_at_its_gate_does_not_run() {
    Story story = assertEnded("gate", List.of("confirmation", "error"));

    assertThat(scene.client().respond(story.sessionId(), story.gates().getFirst(), "approve"))
        .isEqualTo(409);
    assertThat(scene.requests("o-gate")).isEmpty();
    assertCallFailed(story, "wire");
    assertTakesTheNextMessage("gate");
    assertThat(scene.requests("o-gate")).isEmpty();
  }

  @Test
  void a_tool_that_was_running_is_not_run_again() {
    Story story = assertEnded("tool", List.of("tool_call", "error"));

    assertThat(scene.requests("o-tool")).hasSize(1);
    assertCallFailed(story, "store");
    assertTakesTheNextMessage("tool");
  }

  @Test
  void a_sub_agents_turn_ends_with_it() {
    Story story = assertEnded("clerk asks", List.of("tool_call", "error"));

    assertThat(scene.modelCalls("key=clerk-asks"))
        .extracting(request -> request.header("Authorization"))
        .containsOnly("Bearer " + KEY);
    assertCallFailed(story, "spawn_clerk");
    assertTheClerkWorksAgain("clerk asks");
  }

  @Test
  void a_gate_of_a_sub_agent_is_closed() {
    Story story = assertEnded("clerk's gate", List.of("tool_call", "confirmation", "error"));

    assertThat(scene.requests("o-clerk")).isEmpty();
    assertCallFailed(story, "spawn_clerk");
    assertCallFailed(story, "wire");
    assertTheClerkWorksAgain("clerk's gate");
  }

  @Test
  void a_turn_on_the_agents_own_model_goes_on() {
    Story story = scene.story("ordinary").finish(scene.client());

    assertThat(story.answer()).isEqualTo("Begun");
  }

  /** The client saw these events, the last of them an error that says why. */
  private Story assertEnded(String name, List<String> events) {
    Story story = scene.story(name).finish(scene.client());
    assertThat(story.names()).isEqualTo(events);
    ServerEvent end = story.durable().getLast();
    assertThat(end.data().path("code").textValue()).isEqualTo("model_error");
    assertThat(end.data().path("message").textValue())
        .contains("a key that came with its request", "send the message again");
    return story;
  }

  private void assertCallFailed(Story story, String tool) {
    JsonNode calls =
        scene
            .client()
            .get("/audit/tool-calls?session_id=" + story.sessionId() + "&tool=" + tool)
            .path("data");
    assertThat(calls).hasSize(1);
    assertThat(calls.path(0).path("status").textValue()).isEqualTo("failed");
    assertThat(calls.path(0).path("output").textValue()).contains("the turn ended before");
  }

  private void assertTakesTheNextMessage(String name) {
    assertThat(next(name, "[[say Here I am]]")).isEqualTo("Here I am");
  }

  private void assertTheClerkWorksAgain(String name) {
    String session = scene.story(name).sessionId();
    JsonNode child = scene.client().session(session).path("children").path(0);
    assertThat(child.path("status").textValue()).isEqualTo("idle");
    assertThat(next(name, CrashScene.delegate("[[say At your service]]")))
        .isEqualTo("The clerk says: At your service");
  }

  private String next(String name, String script) {
    return scene
        .client()
        .askAgain("office", scene.story(name).sessionId(), script)
        .path("response")
        .textValue();
  }
}
