package agentengine.bench.load;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Decodes one HTTP/1.1 response after another from bytes as they come, and counts its events. */
final class ResponseDecoder {

  private enum State {
    HEAD,
    CHUNK_SIZE,
    CHUNK_DATA,
    CHUNK_END,
    TRAILER,
    FIXED_BODY,
    BODY_TO_EOF,
    COMPLETE
  }

  private static final int MAX_HEAD_CHARS = 16_384;
  private static final int KEPT_ERROR_CHARS = 300;

  private final EventCounter events;
  private final StringBuilder head = new StringBuilder(512);
  private final StringBuilder errorBody = new StringBuilder();
  private State state = State.HEAD;
  private int status;
  private long remaining;
  private boolean inSizeDigits;
  private int trailerLineLength;
  private boolean closes;
  private @Nullable String sessionId;

  ResponseDecoder(EventCounter events) {
    this.events = events;
  }

  void reset() {
    events.reset();
    head.setLength(0);
    errorBody.setLength(0);
    state = State.HEAD;
    closes = false;
    sessionId = null;
  }

  boolean complete() {
    return state == State.COMPLETE;
  }

  /** The server closed the connection: an end for a body without a length, else a cut. */
  void endOfConnection() {
    if (state == State.BODY_TO_EOF) {
      state = State.COMPLETE;
    }
  }

  /** Whether the server will not take another request on this connection. */
  boolean closes() {
    return closes;
  }

  @Nullable String sessionId() {
    return sessionId;
  }

  /** Why the complete response is not the answer that was wanted, or null when it is. */
  @Nullable String problem(int wantedTokens) {
    if (status != 200) {
      return "HTTP " + status + " " + errorBody;
    }
    if (events.error() != null) {
      return "error event, " + events.error();
    }
    if (!events.done()) {
      return "the stream ended without done";
    }
    if (events.tokens() != wantedTokens) {
      return events.tokens() + " tokens instead of " + wantedTokens;
    }
    return null;
  }

  void accept(byte[] bytes, int length) {
    int at = 0;
    while (at < length && state != State.COMPLETE) {
      switch (state) {
        case HEAD -> at = head(bytes, at, length);
        case CHUNK_SIZE -> chunkSize(bytes[at++]);
        case CHUNK_DATA, FIXED_BODY, BODY_TO_EOF -> at = body(bytes, at, length);
        case CHUNK_END -> state = bytes[at++] == '\n' ? startChunk() : State.CHUNK_END;
        case TRAILER -> trailer(bytes[at++]);
        case COMPLETE -> throw new IllegalStateException("bytes after the response");
      }
    }
  }

  private int head(byte[] bytes, int from, int length) {
    for (int at = from; at < length; at++) {
      head.append((char) (bytes[at] & 0xff));
      if (bytes[at] == '\n' && head.length() >= 4 && endsHead()) {
        parseHead();
        return at + 1;
      }
    }
    if (head.length() > MAX_HEAD_CHARS) {
      throw new IllegalStateException("response head too long");
    }
    return length;
  }

  private boolean endsHead() {
    return head.substring(head.length() - 4).equals("\r\n\r\n");
  }

  private void parseHead() {
    List<String> lines = head.toString().lines().toList();
    status = Integer.parseInt(lines.getFirst().split(" ", 3)[1]);
    state = State.BODY_TO_EOF;
    for (String line : lines) {
      int colon = line.indexOf(':');
      if (colon < 0) {
        continue;
      }
      String value = line.substring(colon + 1).trim();
      switch (line.substring(0, colon).toLowerCase(Locale.ROOT)) {
        case "transfer-encoding" -> state = startChunk();
        case "content-length" -> {
          remaining = Long.parseLong(value);
          state = remaining == 0 ? State.COMPLETE : State.FIXED_BODY;
        }
        case "connection" -> closes = value.equalsIgnoreCase("close");
        case "x-session-id" -> sessionId = value;
        default -> {}
      }
    }
    closes |= state == State.BODY_TO_EOF;
  }

  private State startChunk() {
    remaining = 0;
    inSizeDigits = true;
    return State.CHUNK_SIZE;
  }

  private void chunkSize(byte b) {
    int digit = Character.digit(b, 16);
    if (b == '\n') {
      trailerLineLength = 0;
      state = remaining == 0 ? State.TRAILER : State.CHUNK_DATA;
    } else if (inSizeDigits && digit >= 0) {
      remaining = remaining * 16 + digit;
    } else {
      inSizeDigits = false;
    }
  }

  private void trailer(byte b) {
    if (b == '\n') {
      state = trailerLineLength == 0 ? State.COMPLETE : State.TRAILER;
      trailerLineLength = 0;
    } else if (b != '\r') {
      trailerLineLength++;
    }
  }

  private int body(byte[] bytes, int from, int length) {
    int to = state == State.BODY_TO_EOF ? length : (int) Math.min(length, from + remaining);
    remaining -= to - from;
    if (status == 200) {
      events.accept(bytes, from, to);
    } else if (errorBody.length() < KEPT_ERROR_CHARS) {
      int kept = Math.min(to - from, KEPT_ERROR_CHARS - errorBody.length());
      errorBody.append(new String(bytes, from, kept, StandardCharsets.UTF_8));
    }
    if (remaining == 0 && state == State.CHUNK_DATA) {
      state = State.CHUNK_END;
    } else if (remaining == 0 && state == State.FIXED_BODY) {
      state = State.COMPLETE;
    }
    return to;
  }
}
