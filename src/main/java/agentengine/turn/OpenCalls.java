package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.json.Json;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** Ends what a root turn leaves open below it when it is over: calls, and sub-agents' turns. */
final class OpenCalls {
  private OpenCalls() {}

  static void close(Handle handle, TurnServices services, String rootSessionId) {
    List<ToolLedger.Call> open = services.ledger().open(handle, rootSessionId);
    if (open.isEmpty()) {
      return;
    }
    String output =
        Json.write(Json.object().put("error", "the turn ended before this call had a result"));
    for (ToolLedger.Call call : open) {
      SubTurns.endOfCall(handle, call.callId(), services.clock().millis());
      services
          .ledger()
          .end(handle, new ToolLedger.Ending(call, ToolLedger.Status.FAILED, output, 0));
    }
  }
}
