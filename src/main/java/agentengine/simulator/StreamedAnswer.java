package agentengine.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An answer as server-sent events, one {@code chat.completion.chunk} a piece. */
final class StreamedAnswer implements Answer {
  private static final byte[] DATA = "data: ".getBytes(StandardCharsets.UTF_8);
  private static final byte[] EMPTY_LINE = "\n\n".getBytes(StandardCharsets.UTF_8);

  private final ObjectNode envelope;
  private final Reply reply;
  private @Nullable OutputStream stream;

  StreamedAnswer(String model, Reply reply) {
    this.envelope = Answer.envelope("chat.completion.chunk", model);
    this.reply = reply;
  }

  @Override
  public void begin() {
    stream();
    flush();
  }

  @Override
  public void text(String piece) {
    delta(Json.object().put("content", piece));
  }

  @Override
  public void thinking(String piece) {
    delta(Json.object().put("reasoning_content", piece));
  }

  @Override
  public void toolCall(ToolPiece piece) {
    ObjectNode delta = Json.object();
    delta.putArray("tool_calls").add(piece.toJson());
    delta(delta);
  }

  @Override
  public void line(String line) {
    write(stream(), new byte[0], line.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void flush() {
    if (stream != null) {
      try {
        stream.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void finish(@Nullable String reason, @Nullable TokenUsage usage) {
    OutputStream out = stream();
    if (reason != null) {
      data(out, chunk(Json.object(), reason));
    }
    if (usage != null) {
      ObjectNode last = envelope.deepCopy();
      last.putArray("choices");
      data(out, last.set("usage", usage.toJson()));
    }
    line("data: [DONE]");
    end();
  }

  @Override
  public void fail(ApiError error) {
    data(stream(), error.toJson());
    end();
  }

  @Override
  public void end() {
    try {
      stream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The stream, which begins with a piece that only says who is speaking. */
  private OutputStream stream() {
    OutputStream open = stream;
    if (open == null) {
      open = reply.eventStream();
      stream = open;
      data(open, chunk(Json.object().put("role", "assistant").put("content", ""), null));
    }
    return open;
  }

  private void delta(ObjectNode delta) {
    data(stream(), chunk(delta, null));
  }

  private ObjectNode chunk(ObjectNode delta, @Nullable String finishReason) {
    ObjectNode chunk = envelope.deepCopy();
    ObjectNode choice = chunk.putArray("choices").addObject().put("index", 0);
    choice.set("delta", delta);
    choice.put("finish_reason", finishReason);
    return chunk;
  }

  private static void data(OutputStream out, JsonNode json) {
    write(out, DATA, Json.bytes(json));
  }

  private static void write(OutputStream out, byte[] prefix, byte[] line) {
    try {
      out.write(prefix);
      out.write(line);
      out.write(EMPTY_LINE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
