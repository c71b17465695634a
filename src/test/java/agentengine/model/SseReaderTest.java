package agentengine.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import agentengine.time.Watchdog;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SseReaderTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final String STREAM =
      """
      : a comment
      data: {"a":"ä€𝄞"}

      event: error
      data:no space
      data:  two spaces
      id: 7
      retry: 10

      data
      unknown: field

      data:

      data: [DONE]

      """;

  private static final List<String> EVENTS =
      List.of("{\"a\":\"ä€𝄞\"}", "no space\n two spaces", "", "[DONE]");

  private final Watchdog watchdog = new Watchdog();
  private final List<String> events = new ArrayList<>();
  private final ProviderCall call =
      new ProviderCall(watchdog.watch(LONG), new ModelLimits(LONG, LONG, LONG), new Pauses());

  @AfterEach
  void close() {
    watchdog.close();
  }

  @Test
  void events_are_the_same_wherever_the_network_splits_them() throws IOException {
    byte[] bytes = STREAM.getBytes(StandardCharsets.UTF_8);
    for (int split = 0; split <= bytes.length; split++) {
      assertThat(read(Arrays.copyOf(bytes, split), Arrays.copyOfRange(bytes, split, bytes.length)))
          .as("split at byte %d", split)
          .isEqualTo(EVENTS);
    }
  }

  @Test
  void events_are_the_same_when_they_come_byte_by_byte() throws IOException {
    byte[][] single = new byte[STREAM.getBytes(StandardCharsets.UTF_8).length][];
    for (int i = 0; i < single.length; i++) {
      single[i] = new byte[] {STREAM.getBytes(StandardCharsets.UTF_8)[i]};
    }

    assertThat(read(single)).isEqualTo(EVENTS);
  }

  @Test
  void lines_may_end_with_carriage_return_and_line_feed() throws IOException {
    byte[] bytes = STREAM.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
    for (int split = 0; split <= bytes.length; split++) {
      assertThat(read(Arrays.copyOf(bytes, split), Arrays.copyOfRange(bytes, split, bytes.length)))
          .as("split at byte %d", split)
          .isEqualTo(EVENTS);
    }
  }

  @Test
  void all_that_came_at_once_is_heard_before_the_pause() throws IOException {
    readAll("data: 1\n\ndata: 2\n\nda".getBytes(StandardCharsets.UTF_8), bytes("ta: 3\n\n"));

    assertThat(events).containsExactly("1", "2", "pause", "3", "pause");
  }

  @Test
  void a_last_event_without_its_empty_line_is_heard() throws IOException {
    assertThat(read(bytes("data: [DONE]\n"))).containsExactly("[DONE]");
  }

  @Test
  void reading_ends_when_an_event_cannot_be_taken() {
    byte[] event = bytes("data: x\n\n");
    SseReader reader =
        new SseReader(
            endless(new byte[0], event),
            call,
            _ -> {
              throw ProviderFailures.malformed("enough");
            });

    assertThatThrownBy(reader::readAll).hasMessageContaining("enough");
  }

  @Test
  void a_line_without_end_is_refused() {
    byte[] megabyte = "x".repeat(1024 * 1024).getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> reader(endless(bytes("data: "), megabyte)).readAll())
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("bytes");
  }

  @Test
  void an_event_of_lines_without_end_is_refused() {
    byte[] lines = "data: x\n".repeat(100_000).getBytes(StandardCharsets.UTF_8);

    assertThatThrownBy(() -> reader(endless(new byte[0], lines)).readAll())
        .isInstanceOf(ModelException.class)
        .hasMessageContaining("bytes");
  }

  /** The same bytes for ever after a beginning. */
  private static InputStream endless(byte[] first, byte[] then) {
    return new SequenceInputStream(
        new ByteArrayInputStream(first),
        new InputStream() {
          private int position;

          @Override
          public int read() {
            throw new AssertionError("reads whole buffers");
          }

          @Override
          public int read(byte[] buffer, int offset, int length) {
            int count = Math.min(length, then.length - position);
            System.arraycopy(then, position, buffer, offset, count);
            position = (position + count) % then.length;
            return count;
          }
        });
  }

  /** The events of a stream that arrives in these parts, without the pauses. */
  private List<String> read(byte[]... parts) throws IOException {
    events.clear();
    readAll(parts);
    return events.stream().filter(event -> !event.equals("pause")).toList();
  }

  private void readAll(byte[]... parts) throws IOException {
    List<InputStream> streams =
        Arrays.stream(parts).<InputStream>map(ByteArrayInputStream::new).toList();
    reader(new SequenceInputStream(Collections.enumeration(streams))).readAll();
  }

  private SseReader reader(InputStream in) {
    return new SseReader(in, call, events::add);
  }

  /** Notes the pauses among the events. */
  private final class Pauses implements ModelListener {
    @Override
    public void thinking(String text) {}

    @Override
    public void text(String text) {}

    @Override
    public void pause() {
      events.add("pause");
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
