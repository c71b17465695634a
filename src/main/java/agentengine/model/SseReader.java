package agentengine.model;

import dev.langchain4j.http.client.sse.CancellationUnsupportedHandle;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Reads server-sent events, taking all that is there at each wake-up: the listener hears every
 * complete event of a read before the call is told that a pause follows.
 */
final class SseReader {
  private static final int MAX_EVENT_BYTES = 8 * 1024 * 1024;

  private final InputStream in;
  private final ServerSentEventListener listener;
  private final ProviderCall call;
  private final ServerSentEventContext context =
      new ServerSentEventContext(new CancellationUnsupportedHandle());

  private byte[] buffer = new byte[8 * 1024];
  private int filled;
  private @Nullable String event;
  private @Nullable String data;

  SseReader(InputStream in, ServerSentEventListener listener, ProviderCall call) {
    this.in = in;
    this.listener = listener;
    this.call = call;
  }

  /** Reads to the end of the stream, or until the call has failed. */
  void readAll() throws IOException {
    call.expectEnd();
    int read;
    while ((read = in.read(buffer, filled, buffer.length - filled)) >= 0) {
      call.progress();
      int searchFrom = filled;
      filled += read;
      takeLines(searchFrom);
      call.pause();
      if (call.failure() != null) {
        return;
      }
      if (filled == buffer.length) {
        grow();
      }
    }
    dispatch();
  }

  private void takeLines(int searchFrom) {
    int lineStart = 0;
    for (int i = searchFrom; i < filled; i++) {
      if (buffer[i] == '\n') {
        int end = i > lineStart && buffer[i - 1] == '\r' ? i - 1 : i;
        takeLine(lineStart, end);
        lineStart = i + 1;
      }
    }
    if (lineStart > 0) {
      System.arraycopy(buffer, lineStart, buffer, 0, filled - lineStart);
      filled -= lineStart;
    }
  }

  private void takeLine(int start, int end) {
    if (start == end) {
      dispatch();
    } else if (startsWith("data:", start, end)) {
      String text = value(start + "data:".length(), end);
      data = data == null ? text : data + "\n" + text;
    } else if (startsWith("event:", start, end)) {
      event = value(start + "event:".length(), end);
    }
  }

  private boolean startsWith(String name, int start, int end) {
    if (end - start < name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (buffer[start + i] != name.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  private String value(int start, int end) {
    int from = start < end && buffer[start] == ' ' ? start + 1 : start;
    return new String(buffer, from, end - from, StandardCharsets.UTF_8);
  }

  private void dispatch() {
    if (data != null) {
      if (data.equals("[DONE]")) {
        call.reachedEnd();
      }
      listener.onEvent(new ServerSentEvent(event, data), context);
    }
    event = null;
    data = null;
  }

  private void grow() throws IOException {
    if (buffer.length >= MAX_EVENT_BYTES) {
      throw new IOException("the provider sent a line of more than " + MAX_EVENT_BYTES + " bytes");
    }
    buffer = Arrays.copyOf(buffer, buffer.length * 2);
  }
}
