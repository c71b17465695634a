package agentengine.bench.load;

import agentengine.bench.load.Target.Protocol;
import agentengine.bench.model.Script;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Counts the tokens in a stream of SSE lines, however the bytes are cut, in one pass and without
 * parsing JSON. The engine repeats the text in its `message` event, so only marks inside deltas
 * count.
 */
final class EventCounter {

  private enum Event {
    DELTA,
    DONE,
    ERROR,
    OTHER
  }

  private static final byte[] EVENT = ascii("event: ");
  private static final byte[] DELTA = ascii("event: message_delta");
  private static final byte[] DONE = ascii("event: done");
  private static final byte[] ERROR = ascii("event: error");
  private static final byte[] DATA = ascii("data: ");
  private static final byte[] DIRECT_DONE = ascii("data: [DONE]");

  private final Protocol protocol;

  /** The start of a line whose end has not come yet; enough of it to tell what it is. */
  private final byte[] partial = new byte[200];

  private int partialLength;
  private int marksInLine;
  private Event event = Event.OTHER;
  private int tokens;
  private int deltas;
  private boolean done;
  private @Nullable String error;

  EventCounter(Protocol protocol) {
    this.protocol = protocol;
  }

  void reset() {
    partialLength = 0;
    marksInLine = 0;
    event = Event.OTHER;
    tokens = 0;
    deltas = 0;
    done = false;
    error = null;
  }

  int tokens() {
    return tokens;
  }

  int deltas() {
    return deltas;
  }

  boolean done() {
    return done;
  }

  /** The data of the `error` event, if one came. */
  @Nullable String error() {
    return error;
  }

  void accept(byte[] bytes, int from, int to) {
    int lineStart = from;
    int marks = marksInLine;
    for (int i = from; i < to; i++) {
      byte b = bytes[i];
      if (b == '\n') {
        endLine(bytes, lineStart, i, marks);
        lineStart = i + 1;
        marks = 0;
      } else if (b == Script.TOKEN_MARK) {
        marks++;
      }
    }
    marksInLine = marks;
    keep(bytes, lineStart, to);
  }

  private void keep(byte[] bytes, int from, int to) {
    int length = Math.min(to - from, partial.length - partialLength);
    System.arraycopy(bytes, from, partial, partialLength, length);
    partialLength += length;
  }

  private void endLine(byte[] bytes, int from, int to, int marks) {
    if (partialLength == 0) {
      line(bytes, from, to, marks);
    } else {
      keep(bytes, from, to);
      line(partial, 0, partialLength, marks);
      partialLength = 0;
    }
  }

  private void line(byte[] bytes, int from, int to, int marks) {
    switch (protocol) {
      case DIRECT -> directLine(bytes, from, to, marks);
      case ENGINE -> engineLine(bytes, from, to, marks);
    }
  }

  private void directLine(byte[] bytes, int from, int to, int marks) {
    if (marks > 0) {
      deltas++;
      tokens += marks;
    } else if (startsWith(DIRECT_DONE, bytes, from, to)) {
      done = true;
    }
  }

  private void engineLine(byte[] bytes, int from, int to, int marks) {
    if (startsWith(DATA, bytes, from, to)) {
      data(bytes, from, to, marks);
    } else if (startsWith(EVENT, bytes, from, to)) {
      event = eventOf(bytes, from, to);
    }
  }

  private void data(byte[] bytes, int from, int to, int marks) {
    switch (event) {
      case DELTA -> {
        // An empty delta is no token, and must not pass for the first one.
        deltas += marks > 0 ? 1 : 0;
        tokens += marks;
      }
      case DONE -> done = true;
      case ERROR ->
          error = new String(bytes, from, Math.min(to - from, 200), StandardCharsets.UTF_8);
      case OTHER -> {}
    }
  }

  private static Event eventOf(byte[] bytes, int from, int to) {
    if (startsWith(DELTA, bytes, from, to)) {
      return Event.DELTA;
    } else if (startsWith(DONE, bytes, from, to)) {
      return Event.DONE;
    }
    return startsWith(ERROR, bytes, from, to) ? Event.ERROR : Event.OTHER;
  }

  private static boolean startsWith(byte[] prefix, byte[] bytes, int from, int to) {
    if (to - from < prefix.length) {
      return false;
    }
    for (int i = 0; i < prefix.length; i++) {
      if (bytes[from + i] != prefix[i]) {
        return false;
      }
    }
    return true;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
