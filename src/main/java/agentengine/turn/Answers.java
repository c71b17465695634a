package agentengine.turn;

import agentengine.audit.ToolLedger;
import agentengine.error.EngineException;
import agentengine.json.Json;
import agentengine.session.SessionStatus;
import java.util.List;
import org.jdbi.v3.core.Handle;

/** What people are asked in a session, and what they say to it. */
final class Answers {
  private final TurnServices services;

  Answers(TurnServices services) {
    this.services = services;
  }

  /** The calls of a session, its sub-agents' included, that wait for a person. */
  List<PendingCall> pending(String sessionId) {
    return services.db().read(handle -> services.ledger().undecided(handle, sessionId)).stream()
        .map(call -> new PendingCall(call.callId(), call.tool(), Json.parse(call.input())))
        .toList();
  }

  /** Notes a person's word; it is on disk when this returns. */
  void give(String sessionId, String callId, ToolLedger.Decision decision) {
    services
        .db()
        .write(
            handle -> {
              decide(handle, sessionId, callId, decision);
              return null;
            });
    services.gates().ring(callId);
  }

  private void decide(
      Handle handle, String sessionId, String callId, ToolLedger.Decision decision) {
    ToolLedger.Entry asked =
        services
            .ledger()
            .find(handle, callId)
            .filter(entry -> entry.call().sessionId().equals(sessionId))
            .filter(entry -> entry.inputHash() != null)
            .orElseThrow(() -> EngineException.notFound("confirmation", callId));
    boolean isQuestion = asked.call().tool().equals(AskUserTool.NAME);
    if (isQuestion != (decision.verdict() == ToolLedger.Verdict.ANSWER)) {
      throw EngineException.badRequest(
          isQuestion
              ? "'" + callId + "' is a question; answer it with 'input' at the task"
              : "'" + callId + "' is a confirmation; approve or reject it");
    }
    if (!services.ledger().decide(handle, callId, decision)) {
      throw EngineException.conflict("the confirmation '" + callId + "' is no longer open");
    }
    noteWhetherWaiting(handle, services, sessionId);
  }

  /** A session waits as long as anybody is asked anything. */
  static void noteWhetherWaiting(Handle handle, TurnServices services, String sessionId) {
    boolean waits = !services.ledger().undecided(handle, sessionId).isEmpty();
    services
        .sessions()
        .setStatus(handle, sessionId, waits ? SessionStatus.WAITING : SessionStatus.RUNNING);
    if (waits) {
      services.tasks().waits(handle, sessionId);
    } else {
      services.tasks().goesOn(handle, sessionId);
    }
  }
}
