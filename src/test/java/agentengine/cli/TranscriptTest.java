package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TranscriptTest {
  private final Printed out = new Printed();
  private final Printed err = new Printed();

  @Test
  void what_a_model_says_cannot_steer_a_terminal() {
    transcript(true).show(new ChatEvent.MessageDelta("a\u001b[31mb\u0007\u009b2J\u202ec\tä👍🏽"));

    assertThat(out.toString()).isEqualTo("a[31mb2Jc\tä👍🏽");
  }

  @Test
  void a_script_gets_what_the_model_said_unchanged() {
    transcript(false).show(new ChatEvent.MessageDelta("a\u001b[31mb"));

    assertThat(out.toString()).isEqualTo("a\u001b[31mb");
  }

  @Test
  void tool_lines_are_short_and_stand_between_the_lines_of_text() {
    Transcript transcript = transcript(false);
    transcript.show(new ChatEvent.MessageDelta("Let me see"));
    transcript.show(new ChatEvent.Message("Let me see"));
    transcript.show(
        new ChatEvent.ToolCall("look", Json.parse("{\"at\":\"" + "x".repeat(500) + "\"}")));
    transcript.show(new ChatEvent.ToolResult("look", Json.parse("{\"a\":\"b\\nc\"}"), null));
    transcript.show(new ChatEvent.ToolResult("look", Json.parse("null"), "too\nfar"));

    assertThat(out.toString()).isEqualTo("Let me see\n");
    assertThat(err.toString().lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("[calling look {\"at\":\"xxx").hasSize(120),
            line -> assertThat(line).isEqualTo("[look returned {\"a\":\"b\\nc\"}]"),
            line -> assertThat(line).isEqualTo("[look failed: too far]"));
  }

  @Test
  void a_structured_output_is_part_of_the_answer() {
    transcript(false).show(new ChatEvent.StructuredOutput(Json.parse("{\"title\":\"Order 17\"}")));

    assertThat(out.toString()).isEqualTo("Order 17\n");
  }

  @Test
  void thinking_and_text_stand_on_lines_of_their_own() {
    Transcript transcript = transcript(true);
    transcript.show(new ChatEvent.Thinking("Hm"));
    transcript.show(new ChatEvent.MessageDelta("Yes"));
    transcript.show(new ChatEvent.Thinking("Or"));
    transcript.show(new ChatEvent.Done());

    assertThat(out.toString()).isEqualTo("\u001b[2mHm\u001b[0m\nYes\n\u001b[2mOr\u001b[0m\n");
  }

  private Transcript transcript(boolean interactive) {
    return new Transcript(
        new Shell(
            CommandRun.stream(""),
            out.stream(),
            err.stream(),
            Map.of(),
            interactive,
            InstantSource.system()));
  }
}
