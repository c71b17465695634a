package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class SseReaderTest {
  @Test
  void an_event_has_a_name_data_and_an_id() throws IOException {
    SseReader reader = reader("event: done\ndata: {\"a\":1}\nid: 1.1.2\n\n");

    assertThat(reader.next()).isEqualTo(new SseEvent("done", "{\"a\":1}", "1.1.2"));
    assertThat(reader.next()).isNull();
  }

  @Test
  void heartbeats_and_unknown_fields_are_passed_over() throws IOException {
    SseReader reader = reader(":\n\n: still here\n\nretry: 5\nevent:a\r\ndata:x\r\n\r\n");

    assertThat(reader.next()).isEqualTo(new SseEvent("a", "x", null));
  }

  @Test
  void several_data_lines_are_one_text() throws IOException {
    assertThat(reader("data: a\ndata:\ndata:  b\n\n").next())
        .isEqualTo(new SseEvent("message", "a\n\n b", null));
  }

  @Test
  void an_event_that_is_not_complete_is_none() throws IOException {
    assertThat(reader("event: done\ndata: {}\n").next()).isNull();
  }

  private static SseReader reader(String text) {
    return new SseReader(CommandRun.stream(text));
  }
}
