package agentengine.model;

import dev.langchain4j.http.client.sse.CancellationUnsupportedHandle;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events. */
final class SseReader extends LineReader {
  private final ServerSentEventListener listener;
  private final ProviderCall call;
  private final ServerSentEventContext context =
      new ServerSentEventContext(new CancellationUnsupportedHandle());

  private final ToolCallPieces toolCalls = new ToolCallPieces();

  private @Nullable String event;
  private @Nullable String data;
  private @Nullable StringBuilder lines;

  SseReader(InputStream in, ServerSentEventListener listener, ProviderCall call) {
    super(in, call);
    this.listener = listener;
    this.call = call;
  }

  @Override
  void readAll() throws IOException {
    call.expectEnd();
    super.readAll();
    if (call.failure() == null) {
      dispatch();
      toolCalls.finish(this::pass);
    }
  }

  @Override
  void takeLine(byte[] bytes, int start, int end) {
    if (start == end) {
      dispatch();
    } else if (startsWith("data:", bytes, start, end)) {
      addData(value(bytes, start + "data:".length(), end));
    } else if (startsWith("event:", bytes, start, end)) {
      event = value(bytes, start + "event:".length(), end);
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

  private static boolean startsWith(String name, byte[] bytes, int start, int end) {
    if (end - start < name.length()) {
      return false;
    }
    for (int i = 0; i < name.length(); i++) {
      if (bytes[start + i] != name.charAt(i)) {
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
      String text = lines == null ? data : lines.toString();
      if (text.equals("[DONE]")) {
        call.reachedEnd();
        toolCalls.finish(this::pass);
      }
      String rest = toolCalls.take(text);
      if (rest != null) {
        pass(rest);
      }
    }
    event = null;
    data = null;
    lines = null;
  }

  private void pass(String text) {
    listener.onEvent(new ServerSentEvent(event, text), context);
  }
}
