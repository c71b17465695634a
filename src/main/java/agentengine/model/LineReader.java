package agentengine.model;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a provider's answer line by line, taking all that is there at each wake-up: every complete
 * line of a read is handled before the call is told that a pause follows. What stands behind the
 * last line break was cut off and is dropped.
 */
abstract class LineReader {
  static final int MAX_EVENT_BYTES = 8 * 1024 * 1024;

  private final InputStream in;
  private final ProviderCall call;
  private byte[] buffer = new byte[8 * 1024];
  private int filled;

  LineReader(InputStream in, ProviderCall call) {
    this.in = in;
    this.call = call;
  }

  /** Handles a line, which stands between two places of the buffer, without its line break. */
  abstract void takeLine(byte[] bytes, int start, int end);

  /** Reads to the end of the stream. */
  void readAll() throws IOException {
    int read;
    while ((read = in.read(buffer, filled, buffer.length - filled)) >= 0) {
      call.progress();
      int searchFrom = filled;
      filled += read;
      takeLines(searchFrom);
      call.pause();
      if (filled == buffer.length) {
        grow();
      }
    }
  }

  private void takeLines(int searchFrom) {
    int lineStart = 0;
    for (int i = searchFrom; i < filled; i++) {
      if (buffer[i] == '\n') {
        int end = i > lineStart && buffer[i - 1] == '\r' ? i - 1 : i;
        takeLine(buffer, lineStart, end);
        lineStart = i + 1;
      }
    }
    if (lineStart > 0) {
      System.arraycopy(buffer, lineStart, buffer, 0, filled - lineStart);
      filled -= lineStart;
    }
  }

  private void grow() {
    if (buffer.length >= MAX_EVENT_BYTES) {
      throw tooLarge();
    }
    buffer = Arrays.copyOf(buffer, buffer.length * 2);
  }

  /** The reader that a format needs. */
  static LineReader of(
      WireFormat.Framing framing,
      InputStream in,
      ProviderCall call,
      WireFormat.EventReader events) {
    return switch (framing) {
      case SERVER_SENT_EVENTS -> new SseReader(in, call, events);
      case JSON_LINES -> new JsonLinesReader(in, call, events);
    };
  }

  static ModelException tooLarge() {
    return new ModelException(
        ModelException.Kind.MALFORMED,
        "the provider sent a piece of more than " + MAX_EVENT_BYTES + " bytes");
  }

  static String text(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.UTF_8);
  }
}
