package agentengine.torture;

import agentengine.testing.process.EngineHttp;
import agentengine.testing.process.ServerEvent;
import agentengine.testing.process.ToolServer;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.List;
import java.util.Objects;

/** When all is over: what each session holds, and what its tools' server knows of it. */
final class SessionCheck {
  private final EngineHttp http;
  private final ToolServer tools;
  private final Findings findings;

  SessionCheck(EngineHttp http, ToolServer tools, Findings findings) {
    this.http = http;
    this.tools = tools;
    this.findings = findings;
  }

  void check(Conversation conversation) throws IOException {
    String id = conversation.sessionId();
    if (id == null || conversation.isAbandoned()) {
      return; // why is noted already
    }
    JsonNode session = get(id);
    String where = "session " + id;
    findings.expect(
        session.path("status").asText().equals("idle") && session.path("pending").isEmpty(),
        where
            + " has status "
            + session.path("status")
            + " and waits for "
            + session.path("pending"));
    List<String> said =
        session
            .path("messages")
            .valueStream()
            .filter(message -> message.path("role").asText().equals("user"))
            .map(message -> message.path("content").asText())
            .toList();
    List<String> sent = conversation.turns().stream().map(turn -> turn.plan().message()).toList();
    findings.expect(
        said.equals(sent),
        where + " should hold " + shortened(sent) + " each once, but holds " + shortened(said));
    History history = History.of(session);
    history.flaws().forEach(findings::violation);
    for (Turn turn : conversation.turns()) {
      checkSubAgents(turn, history);
      turn.plan().allCalls().forEach(call -> checkCall(turn, call, history));
    }
    checkReplay(conversation.turns().getLast());
  }

  /** Only the names that messages begin with; the scripts are long. */
  private static List<String> shortened(List<String> messages) {
    return messages.stream().map(text -> text.replaceFirst(":.*", "")).toList();
  }

  private JsonNode get(String session) throws IOException {
    try (EngineHttp.Response response = http.get("/sessions/" + session)) {
      return response.json();
    }
  }

  private void checkSubAgents(Turn turn, History history) {
    for (Plan plan : turn.plan().tree().skip(1).toList()) {
      long times = history.tasks().stream().filter(plan.message()::equals).count();
      findings.expect(
          times == 1,
          turn + " gave its sub-agent the task " + plan.name() + " " + times + " times");
      findings.count(Count.SUB_AGENTS);
    }
  }

  private void checkCall(Turn turn, Call call, History history) {
    List<ToolServer.Request> requests = tools.requests(call.marker());
    List<History.RecordedCall> recorded =
        history.calls().stream().filter(c -> c.key().equals(call.marker())).toList();
    String what = call.tool().wireName() + " " + call.marker() + " of " + turn;
    if (recorded.size() != 1 || !recorded.getFirst().tool().equals(call.tool().wireName())) {
      findings.violation(what + " is in the messages as " + recorded);
      return;
    }
    findings.expect(
        StreamCheck.isResult(call, recorded.getFirst().result()),
        what + " has the result '" + recorded.getFirst().result() + "'");
    boolean asPlanned = recorded.getFirst().result().contains(call.expectedResult());
    if (!call.mayRun()) {
      findings.count(Count.CALLS_REJECTED);
      findings.expect(requests.isEmpty(), what + " was rejected and ran " + requests);
      return;
    }
    findings.count(asPlanned ? Count.CALLS_COMPLETED : Count.CALLS_INTERRUPTED);
    findings.count(Count.TOOL_RERUNS, Math.max(0, requests.size() - 1));
    findings.expect(
        !asPlanned || !requests.isEmpty(), what + " has a result, but its server was never asked");
    switch (call.tool().effect()) {
      case UNSAFE -> {
        findings.count(Count.TOOL_REQUESTS_UNSAFE, requests.size());
        findings.expect(requests.size() <= 1, what + " is unsafe and ran " + requests);
      }
      case IDEMPOTENT -> {
        findings.count(Count.TOOL_REQUESTS_IDEMPOTENT, requests.size());
        String callId = recorded.getFirst().callId();
        findings.expect(
            requests.stream().allMatch(r -> Objects.equals(r.idempotencyKey(), callId)),
            what + " has the call id " + callId + " and ran " + requests);
      }
      case READ_ONLY -> findings.count(Count.TOOL_REQUESTS_READ_ONLY, requests.size());
    }
  }

  /** Whoever comes now without any id is told the whole last turn once more. */
  private void checkReplay(Turn turn) throws IOException {
    try (EngineHttp.Response response = http.get("/sessions/" + turn.sessionId() + "/stream")) {
      List<ServerEvent> replayed = response.events().durableToTheEnd();
      findings.expect(
          replayed.equals(turn.durable()),
          turn + " was told as " + turn.durable() + " but is replayed as " + replayed);
    }
  }
}
