package agentengine.torture;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import org.junit.jupiter.api.Test;

/** Which message histories pass, and what is read from them. */
class HistoryTest {
  private static final String USER = "{'role':'user','content':'go'}";
  private static final String CALLS =
      "{'role':'assistant','content':'','tool_calls':["
          + "{'call_id':'1','tool':'charge','input':{'marker':'a'}},"
          + "{'call_id':'2','tool':'spawn_clerk','input':{'task':'b: do it'}}]}";
  private static final String FIRST = "{'role':'tool','call_id':'1','content':'ran-a'}";
  private static final String SECOND = "{'role':'tool','call_id':'2','content':'done'}";
  private static final String ANSWER = "{'role':'assistant','content':'fine'}";

  @Test
  void a_complete_history_is_fine_and_tells_its_calls() {
    History history = history(USER, CALLS, FIRST, SECOND, ANSWER);
    assertThat(history.flaws()).isEmpty();
    assertThat(history.calls())
        .containsExactly(
            new History.RecordedCall("1", "charge", "a", "ran-a"),
            new History.RecordedCall("2", "spawn_clerk", "b", "done"));
  }

  @Test
  void calls_and_results_that_do_not_belong_together_are_found() {
    assertThat(history(USER, CALLS, FIRST, ANSWER).flaws()).isNotEmpty();
    assertThat(history(USER, CALLS, FIRST, FIRST, SECOND, ANSWER).flaws()).isNotEmpty();
    assertThat(history(USER, FIRST, ANSWER).flaws()).isNotEmpty();
    assertThat(history(USER, CALLS, FIRST).flaws()).isNotEmpty();
    assertThat(history(ANSWER).flaws()).isNotEmpty();
    assertThat(history(USER).flaws()).isNotEmpty();
  }

  private static History history(String... messages) {
    return History.of(
        Json.parse(
            ("{'id':'s','children':[],'messages':[" + String.join(",", messages) + "]}")
                .replace('\'', '"')));
  }
}
