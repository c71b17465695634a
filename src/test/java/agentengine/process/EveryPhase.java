package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** Brings turns into every phase that a turn can be in, then kills the engine below them all. */
final class EveryPhase {
  private static final String SAY_RESULT = " [[then]] [[say It gave: {{result}}]]";

  private final CrashScene scene;

  EveryPhase(CrashScene scene) {
    this.scene = scene;
  }

  void killAndRestart() {
    whileTheModelStreams();
    whileToolsRun();
    whileGatesWait();
    insideASubAgent();
    // The last three are under way only for a moment: the kill must follow at once.
    begin("accepted", "[[never times=1 key=accepted]] [[say Heard you]]");
    Story answered = scene.story("answered");
    int status =
        scene.client().respond(answered.sessionId(), answered.gates().getFirst(), "approve");
    assertThat(status).isEqualTo(200);
    scene.tools().release("m-given");
    scene.killAndRestart();
  }

  private void whileTheModelStreams() {
    begin("over", "[[say I said it]]").through("done");
    begin("left", "[[chunk Al]] [[stall times=1 key=left]] [[chunk one]]").through("message_delta");
    begin("streaming", "[[chunk Start]] [[stall times=1 key=streaming]] [[chunk ed]]")
        .through("message_delta");
    begin(
            "between steps",
            CrashScene.call("store", "m-step")
                + " [[then]] [[never times=1 key=steps]] [[say It gave: {{result}}]]")
        .through("tool_result");
  }

  private void whileToolsRun() {
    for (String tool : List.of("charge", "store", "look")) {
      begin(tool, CrashScene.heldCall(tool, "m-" + tool) + SAY_RESULT);
      scene.tools().awaitArrival("m-" + tool);
    }
    begin("given", CrashScene.heldCall("charge", "m-given") + SAY_RESULT);
    scene.tools().awaitArrival("m-given");
    begin(
        "parallel",
        CrashScene.call("store", "m-first")
            + CrashScene.heldCall("charge", "m-second")
            + CrashScene.heldCall("look", "m-third")
            + " [[then]] [[say They gave: {{results}}]]");
    List.of("m-first", "m-second", "m-third").forEach(scene.tools()::awaitArrival);
  }

  private void whileGatesWait() {
    for (String name : List.of("approved", "rejected", "answered")) {
      begin(name, CrashScene.call("wire", "m-" + name) + SAY_RESULT).through("confirmation");
    }
    begin(
            "two gates",
            CrashScene.call("wire", "m-one")
                + CrashScene.call("wire", "m-two")
                + " [[then]] [[say They gave: {{results}}]]")
        .through("confirmation")
        .through("confirmation");
  }

  private void insideASubAgent() {
    begin(
        "clerk streams",
        CrashScene.delegate("[[chunk I fol]] [[stall times=1 key=clerk]] [[chunk low]]"));
    scene.awaitModelCall("[[stall times=1 key=clerk]]");
    for (String tool : List.of("charge", "store")) {
      String marker = "m-clerk-" + tool;
      begin("clerk " + tool, CrashScene.delegate(CrashScene.heldCall(tool, marker) + SAY_RESULT));
      scene.tools().awaitArrival(marker);
    }
    for (String name : List.of("clerk approved", "clerk rejected")) {
      begin(
              name,
              CrashScene.delegate(
                  CrashScene.call("wire", "m-" + name.replace(' ', '-')) + SAY_RESULT))
          .through("confirmation");
    }
  }

  private Story begin(String name, String script) {
    return scene.begin(name, script);
  }
}
