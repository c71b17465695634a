package agentengine.torture;

import agentengine.testing.process.ServerEvent;
import agentengine.turn.EventId;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Holds what a client saw of a turn against the turn's plan: each event once, and in order. */
final class StreamCheck {
  private static final String INTERRUPTED = "interrupted";

  private final Findings findings;

  StreamCheck(Findings findings) {
    this.findings = findings;
  }

  void check(Turn turn) {
    ServerEvent end = turn.durable().getLast();
    if (turn.breaks() == 0) {
      findings.count(Count.TURNS_UNBROKEN);
    }
    idsRise(turn);
    if (end.name().equals("error")) {
      findings.count(Count.TURNS_FAILED);
      findings.violation(turn + " ended with an error: " + end.data());
      return;
    }
    findings.count(Count.TURNS_DONE);
    gatesWereAskedOnce(turn);
    callsWereToldInOrder(turn);
    answerIsThere(turn);
    wholeAnswerFits(turn);
  }

  private void idsRise(Turn turn) {
    @Nullable EventId before = null;
    for (ServerEvent event : turn.durable()) {
      EventId id = EventId.parse(event.id()).orElseThrow();
      findings.expect(
          before == null || (before.compareTo(id) < 0 && before.turn() == id.turn()),
          turn + " told " + event.name() + " " + id + " after " + before);
      before = id;
    }
  }

  private void gatesWereAskedOnce(Turn turn) {
    List<Call> gated = turn.plan().allCalls().stream().filter(Call::gated).toList();
    findings.expect(
        positions(turn, "confirmation").size() == gated.size(),
        turn + " has " + gated.size() + " gates, but told " + names(turn));
    for (Call call : gated) {
      int times = positions(turn, "confirmation", call.marker()).size();
      findings.expect(
          times == 1, turn + " was asked " + times + " times to confirm " + call.marker());
    }
  }

  private void callsWereToldInOrder(Turn turn) {
    List<Integer> results = positions(turn, "tool_result");
    List<Plan.Action> actions = turn.plan().actions();
    if (results.size() != actions.size()) {
      findings.violation(turn + " made " + actions.size() + " calls, but told " + names(turn));
      return;
    }
    int stepBegan = -1;
    int i = 0;
    for (Plan.Step step : turn.plan().steps()) {
      for (Plan.Action action : step.actions()) {
        callWasTold(turn, action, stepBegan, results.get(i));
        i++;
      }
      stepBegan = results.get(i - 1);
    }
  }

  /** The parts of one call lie between the end of the step before and its own result. */
  private void callWasTold(Turn turn, Plan.Action action, int stepBegan, int result) {
    boolean runs =
        switch (action) {
          case Plan.Action.Use(Call call) -> call.mayRun();
          case Plan.Action.Spawn _ -> true;
        };
    String key = keyOf(action);
    List<Integer> begun = positions(turn, "tool_call", key);
    if (begun.size() != (runs ? 1 : 0)) {
      findings.violation(turn + " told tool_call of " + key + " at " + begun + ": " + names(turn));
      return;
    }
    int from = runs ? begun.getFirst() : stepBegan;
    findings.expect(
        stepBegan <= from && from < result,
        turn + " told the parts of " + key + " in a wrong order: " + names(turn));
    for (String marker : gatesOf(action)) {
      for (int asked : positions(turn, "confirmation", marker)) {
        boolean own = marker.equals(key);
        findings.expect(
            asked < result && asked > stepBegan && (!runs || (own ? asked < from : asked > from)),
            turn + " told the gate of " + marker + " in a wrong place: " + names(turn));
      }
    }
    resultWasTold(turn, action, turn.durable().get(result).data());
  }

  private void resultWasTold(Turn turn, Plan.Action action, JsonNode data) {
    String told = data.path("output") + " " + data.path("error");
    boolean fits =
        switch (action) {
          case Plan.Action.Use(Call call) ->
              data.path("tool").asText().equals(call.tool().wireName()) && isResult(call, told);
          case Plan.Action.Spawn(Plan plan) ->
              data.path("tool").asText().equals(plan.tool()) && told.contains(plan.opening());
        };
    findings.expect(fits, turn + " told of " + keyOf(action) + " the result " + data);
  }

  /** Whether a text can be what came of a call: only an unsafe one may be left unknown. */
  static boolean isResult(Call call, String text) {
    return text.contains(call.expectedResult())
        || (call.mayRun() && call.isUnsafe() && text.contains(INTERRUPTED));
  }

  private void answerIsThere(Turn turn) {
    Plan plan = turn.plan();
    boolean structured = plan.ending() == Plan.Ending.STRUCTURED_OUTPUT;
    String last = structured ? "structured_output" : "message";
    List<String> names = names(turn);
    findings.expect(
        positions(turn, last).size() == 1
            && positions(turn, structured ? "message" : "structured_output").isEmpty()
            && names.indexOf(last) == names.size() - 2,
        turn + " should end with one " + last + " and done, but told " + names);
    if (structured) {
      return;
    }
    String answer = turn.answer();
    findings.expect(
        answer.startsWith(plan.opening()) && plan.answersExactly(answer),
        turn + " answered '" + answer + "'");
    for (Call call : plan.allCalls()) {
      findings.expect(
          isResult(call, answer),
          turn + " does not tell what came of " + call + ": '" + answer + "'");
    }
    findings.expect(
        turn.breaks() > 0 || !turn.isStreamed() || turn.streamedText().equals(answer),
        turn + " streamed '" + turn.streamedText() + "' but answered '" + answer + "'");
  }

  private void wholeAnswerFits(Turn turn) {
    JsonNode whole = turn.wholeAnswer();
    if (whole == null) {
      return;
    }
    boolean gated = turn.plan().allCalls().stream().anyMatch(Call::gated);
    List<String> statuses = whole.path("tool_calls").findValuesAsText("status");
    findings.expect(
        gated
            ? statuses.contains("awaiting_confirmation")
            : whole.path("response").asText("?").equals(turn.answer()),
        turn + " answered with stream off " + whole + " and its stream tells " + names(turn));
  }

  private static List<String> gatesOf(Plan.Action action) {
    List<Call> calls =
        switch (action) {
          case Plan.Action.Use(Call call) -> List.of(call);
          case Plan.Action.Spawn(Plan plan) -> plan.allCalls();
        };
    return calls.stream().filter(Call::gated).map(Call::marker).toList();
  }

  private static String keyOf(Plan.Action action) {
    return switch (action) {
      case Plan.Action.Use(Call call) -> call.marker();
      case Plan.Action.Spawn(Plan plan) -> plan.name();
    };
  }

  private static List<String> names(Turn turn) {
    return turn.durable().stream().map(ServerEvent::name).toList();
  }

  private static List<Integer> positions(Turn turn, String name) {
    return IntStream.range(0, turn.durable().size())
        .filter(i -> turn.durable().get(i).name().equals(name))
        .boxed()
        .toList();
  }

  /** Where the call with this marker, or the sub-agent with this plan, is told. */
  private static List<Integer> positions(Turn turn, String name, String key) {
    return positions(turn, name).stream()
        .filter(i -> History.keyOf(turn.durable().get(i).data().path("input")).equals(key))
        .toList();
  }
}
