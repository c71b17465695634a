package agentengine.torture;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.process.ServerEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The judge of streams lets a good one pass, and finds each way in which one can be wrong. */
class StreamCheckTest {
  private static final Call WIRE = new Call("m", Tool.WIRE, true, true, 0);
  private static final Plan PLAN =
      new Plan(
          "p",
          Agent.BOSS,
          List.of(new Plan.Step(List.of(new Plan.Action.Use(WIRE)))),
          Plan.Ending.RESULTS,
          1);

  private static final ServerEvent ASKED =
      event("1.1.1", "confirmation", "{'tool':'wire','input':{'marker':'m'},'call_id':'c'}");
  private static final ServerEvent CALLED =
      event("1.1.2", "tool_call", "{'tool':'wire','input':{'marker':'m'}}");
  private static final ServerEvent RETURNED =
      event("1.1.3", "tool_result", "{'tool':'wire','output':'ran-m','error':null}");
  private static final ServerEvent ANSWERED =
      event("1.1.4", "message", "{'content':'p says: ran-m','role':'assistant'}");
  private static final ServerEvent DONE = event("1.1.5", "done", "{'session_id':'s','tokens':1}");

  @Test
  void a_turn_that_went_as_planned_is_fine() {
    assertThat(violations(PLAN, ASKED, CALLED, RETURNED, ANSWERED, DONE)).isEmpty();
  }

  @Test
  void an_unsafe_call_may_be_left_unknown_but_no_other() {
    ServerEvent unknown =
        event("1.2.1", "tool_result", "{'tool':'wire','output':null,'error':'interrupted'}");
    ServerEvent answer =
        event("1.2.2", "message", "{'content':'p says: interrupted','role':'assistant'}");
    ServerEvent done = event("1.2.3", "done", "{}");
    assertThat(violations(PLAN, ASKED, CALLED, unknown, answer, done)).isEmpty();
    assertThat(StreamCheck.isResult(WIRE, "interrupted")).isTrue();
    assertThat(StreamCheck.isResult(new Call("m", Tool.STAMP, true, true, 0), "interrupted"))
        .isFalse();
    assertThat(StreamCheck.isResult(new Call("m", Tool.WIRE, true, false, 0), "interrupted"))
        .isFalse();
  }

  @Test
  void an_event_that_is_told_twice_or_not_at_all_is_found() {
    assertThat(violations(PLAN, ASKED, ASKED, CALLED, RETURNED, ANSWERED, DONE)).isNotEmpty();
    assertThat(violations(PLAN, ASKED, CALLED, RETURNED, RETURNED, ANSWERED, DONE)).isNotEmpty();
    assertThat(violations(PLAN, ASKED, CALLED, ANSWERED, DONE)).isNotEmpty();
    assertThat(violations(PLAN, CALLED, RETURNED, ANSWERED, DONE)).isNotEmpty();
    assertThat(violations(PLAN, ASKED, RETURNED, ANSWERED, DONE)).isNotEmpty();
    assertThat(violations(PLAN, ASKED, CALLED, RETURNED, DONE)).isNotEmpty();
  }

  @Test
  void a_wrong_order_a_wrong_answer_and_an_error_are_found() {
    assertThat(violations(PLAN, CALLED, ASKED, RETURNED, ANSWERED, DONE)).isNotEmpty();
    assertThat(
            violations(
                PLAN,
                ASKED,
                CALLED,
                RETURNED,
                event("1.1.4", "message", "{'content':'p says: something else'}"),
                DONE))
        .isNotEmpty();
    assertThat(violations(PLAN, event("1.1.1", "error", "{'code':'model_error'}"))).isNotEmpty();
  }

  @Test
  void a_call_that_was_rejected_must_not_be_told_as_begun() {
    Plan rejected =
        new Plan(
            "p",
            Agent.BOSS,
            List.of(
                new Plan.Step(
                    List.of(new Plan.Action.Use(new Call("m", Tool.WIRE, true, false, 0))))),
            Plan.Ending.RESULTS,
            1);
    ServerEvent refused =
        event("1.1.3", "tool_result", "{'tool':'wire','output':null,'error':'rejected: no-m'}");
    ServerEvent answer = event("1.1.4", "message", "{'content':'p says: rejected: no-m'}");
    assertThat(violations(rejected, ASKED, refused, answer, DONE)).isEmpty();
    assertThat(violations(rejected, ASKED, CALLED, refused, answer, DONE)).isNotEmpty();
  }

  private static List<String> violations(Plan plan, ServerEvent... events) {
    Turn turn = new Turn(plan, "s", true);
    List.of(events).forEach(turn::saw);
    turn.broke(); // so that the deltas, which are not here, are not held against the message
    Findings findings = new Findings();
    new StreamCheck(findings).check(turn);
    return findings.violations();
  }

  private static ServerEvent event(String id, String name, String data) {
    return new ServerEvent(name, Json.parse(data.replace('\'', '"')), id);
  }
}
