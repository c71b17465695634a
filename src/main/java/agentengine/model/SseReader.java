package agentengine.model;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events; no provider needs more of one than its data. */
final class SseReader extends LineReader {
  private static final String DATA = "data:";

  private final WireFormat.EventReader events;
  private @Nullable String data;
  private @Nullable StringBuilder lines;

  SseReader(InputStream in, ProviderCall call, WireFormat.EventReader events) {
    super(in, call);
    this.events = events;
  }

  @Override
  void readAll() throws IOException {
    super.readAll();
    dispatch();
  }

  @Override
  void takeLine(byte[] bytes, int start, int end) {
    if (start == end) {
      dispatch();
    } else if (startsWithData(bytes, start, end)) {
      addData(value(bytes, start + DATA.length(), end));
    }
  }

  /** Nearly every event has one line of data, which needs no copy. */
  private void addData(String text) {
    if (data == null) {
      data = text;
      return;
    }
    if (lines == null) {
      lines = new StringBuilder(data);
    }
    if (lines.length() + text.length() >= MAX_EVENT_BYTES) {
      throw tooLarge();
    }
    lines.append('\n').append(text);
  }

  private static boolean startsWithData(byte[] bytes, int start, int end) {
    if (end - start < DATA.length()) {
      return false;
    }
    for (int i = 0; i < DATA.length(); i++) {
      if (bytes[start + i] != DATA.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private static String value(byte[] bytes, int start, int end) {
    return text(bytes, start < end && bytes[start] == ' ' ? start + 1 : start, end);
  }

  private void dispatch() {
    if (data != null) {
      events.take(lines == null ? data : lines.toString());
    }
    data = null;
    lines = null;
  }
}
