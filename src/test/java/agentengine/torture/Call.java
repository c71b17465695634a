package agentengine.torture;

import agentengine.json.Json;
import agentengine.testing.process.ToolServer;

/**
 * One scripted call of a declared tool.
 *
 * @param marker an argument that no other call has
 * @param gated whether somebody is asked first
 * @param approved what is answered then
 */
record Call(String marker, Tool tool, boolean gated, boolean approved, int waitMillis) {
  /** Whether the tool may run at all. */
  boolean mayRun() {
    return !gated || approved;
  }

  boolean isUnsafe() {
    return tool.effect() == Tool.Effect.UNSAFE;
  }

  /** The answer to the gate. */
  String answer() {
    return approved ? "approve" : "reject: " + reason();
  }

  private String reason() {
    return "no-" + marker;
  }

  /** What the model must see of a call that went as it was meant to. */
  String expectedResult() {
    return mayRun() ? ToolServer.resultOf(marker) : reason();
  }

  String cue() {
    return "[[tool "
        + tool.wireName()
        + " "
        + Json.write(Json.object().put("marker", marker).put("wait", String.valueOf(waitMillis)))
        + "]]";
  }
}
