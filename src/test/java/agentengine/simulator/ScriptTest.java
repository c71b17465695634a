package agentengine.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ScriptTest {

  @Test
  void text_without_brackets_is_no_script() {
    assertThat(Script.parse("What is [1] and ]] here?")).isEmpty();
  }

  @Test
  void text_around_the_cues_is_not_part_of_the_script() {
    assertThat(cues("Please [[empty]] now")).containsExactly(new Cue.Empty());
  }

  @Test
  void then_parts_the_steps_and_loop_begins_again() {
    Script script = Script.parse("[[words 1]] [[then]] [[words 2]] [[loop]]").orElseThrow();

    assertThat(script.steps()).hasSize(2);
    assertThat(script.step(3)).contains(new Script.Step(List.of(new Cue.Words(2))));
  }

  @Test
  void a_script_without_loop_has_nothing_to_say_after_its_last_step() {
    assertThat(Script.parse("[[words 1]]").orElseThrow().step(1)).isEmpty();
  }

  @Test
  void options_and_words_come_in_any_order() {
    Cue expected = new Cue.HttpError(429, "3", "slow_down", "Not so fast");

    assertThat(cues("[[error 429 retry-after=3 code=slow_down Not so fast]]"))
        .containsExactly(expected);
    assertThat(cues("[[error code=slow_down retry-after=3 429 Not so fast]]"))
        .containsExactly(expected);
  }

  @Test
  void an_inner_cue_belongs_to_the_outer_one() {
    String inner = "[[say {{result}}]] [[then]] [[say x]]";

    assertThat(cues("[[tool spawn_a {\"task\":\"" + inner + "\"}]]"))
        .singleElement()
        .extracting(cue -> ((Cue.ToolCall) cue).arguments().parts())
        .asString()
        .contains("[[say {{result}}]]");
  }

  @Test
  void of_three_closing_brackets_the_first_is_text() {
    assertThat(cues("[[line [x]]]")).containsExactly(new Cue.Line("[x]"));
  }

  @ParameterizedTest
  @CsvSource({"50ms,PT0.05S", "2s,PT2S", "10m,PT10M"})
  void times_have_units(String written, Duration meant) {
    assertThat(cues("[[delay " + written + "]]")).containsExactly(new Cue.Delay(meant));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[[shout hello]]",
        "[[]]",
        "[[words]]",
        "[[words many]]",
        "[[words 100001]]",
        "[[words 3 4]]",
        "[[delay 11m]]",
        "[[delay 5]]",
        "[[pace fast]]",
        "[[error]]",
        "[[error 200]]",
        "[[error 500 times=2]]",
        "[[error 500 retry_after=2 again=1]]",
        "[[html 204]]",
        "[[cut now]]",
        "[[tool]]",
        "[[tool weather [1]]]",
        "[[tool weather {\"city\":]]",
        "[[tool index=x weather {}]]",
        "[[tool check=on weather {}]]",
        "[[usage 1]]",
        "[[usage none 1]]",
        "[[finish]]",
        "[[say {{nothing}}]]"
      })
  void a_bad_cue_is_named_and_the_known_ones_are_listed(String script) {
    assertThatThrownBy(() -> Script.parse(script))
        .isInstanceOf(BadRequest.class)
        .hasMessageContaining(script.substring(0, script.indexOf(']')).split(" ", 2)[0])
        .hasMessageContaining("Known cues: say, chunk, think");
  }

  @Test
  void an_open_cue_is_refused() {
    assertThatThrownBy(() -> Script.parse("[[say hello")).hasMessageContaining("has no ]]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"error 500", "html", "never", "never times=1 key=a"})
  void what_needs_a_status_line_cannot_follow_output(String cue) {
    assertThatThrownBy(() -> Script.parse("[[say a]] [[" + cue + "]]"))
        .hasMessageContaining("before anything is sent");
  }

  @Test
  void a_script_has_a_bounded_number_of_cues() {
    assertThatThrownBy(() -> Script.parse("[[empty]]".repeat(1_001)))
        .hasMessageContaining("at most 1000 cues");
  }

  private static List<Cue> cues(String text) {
    return Script.parse(text).orElseThrow().steps().getFirst().cues();
  }
}
