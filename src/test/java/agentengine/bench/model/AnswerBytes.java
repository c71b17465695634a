package agentengine.bench.model;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The bytes of a streamed answer, formatted once: a token on the wire costs a write and no more.
 */
final class AnswerBytes {

  /** So many events leave in one write when there is no pause, as a fast real server does it. */
  static final int MAX_EVENTS_PER_WRITE = 16;

  private static final String CHUNK_FORMAT =
      "data: {\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion.chunk\",\"created\":1767225600,"
          + "\"model\":\"bench\",\"choices\":[%s]%s}\n\n";
  private static final String TOKEN_TEXT = " tok" + (char) Script.TOKEN_MARK;
  private static final String TOKEN_EVENT = choice("{\"content\":\"" + TOKEN_TEXT + "\"}", "null");

  private static final ByteBuffer OPENING =
      direct(
          """
          HTTP/1.1 200 OK\r
          Content-Type: text/event-stream; charset=utf-8\r
          Cache-Control: no-cache\r
          Transfer-Encoding: chunked\r
          \r
          """
              + httpChunk(choice("{\"role\":\"assistant\",\"content\":\"\"}", "null")));
  private static final ByteBuffer[] TOKENS = new ByteBuffer[MAX_EVENTS_PER_WRITE + 1];

  static {
    for (int events = 1; events <= MAX_EVENTS_PER_WRITE; events++) {
      TOKENS[events] = direct(httpChunk(TOKEN_EVENT.repeat(events)));
    }
  }

  private AnswerBytes() {}

  /** The response head and the event that only names the role. */
  static ByteBuffer opening() {
    return OPENING.duplicate();
  }

  /** One HTTP chunk with so many token events in it. */
  static ByteBuffer tokens(int events) {
    return TOKENS[events].duplicate();
  }

  /** The end of the stream: the reason, the usage when asked for, [DONE], the last HTTP chunk. */
  static ByteBuffer closing(int promptTokens, int tokens, boolean withUsage) {
    String usage = withUsage ? CHUNK_FORMAT.formatted("", usage(promptTokens, tokens)) : "";
    String events = choice("{}", "\"stop\"") + usage + "data: [DONE]\n\n";
    return ascii(httpChunk(events) + "0\r\n\r\n");
  }

  /** The whole answer of a request that did not ask for a stream. */
  static ByteBuffer unstreamed(int promptTokens, int tokens) {
    return json(
        "{\"id\":\"chatcmpl-bench\",\"object\":\"chat.completion\",\"created\":1767225600,"
            + "\"model\":\"bench\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\","
            + "\"content\":\""
            + TOKEN_TEXT.repeat(tokens)
            + "\"},\"finish_reason\":\"stop\"}]"
            + usage(promptTokens, tokens)
            + "}");
  }

  static ByteBuffer json(String body) {
    return ascii(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body);
  }

  static ByteBuffer notFound() {
    return ascii("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n");
  }

  private static String choice(String delta, String finishReason) {
    return CHUNK_FORMAT.formatted(
        "{\"index\":0,\"delta\":" + delta + ",\"finish_reason\":" + finishReason + "}", "");
  }

  private static String usage(int promptTokens, int tokens) {
    return ",\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d,\"total_tokens\":%d}"
        .formatted(promptTokens, tokens, promptTokens + tokens);
  }

  private static String httpChunk(String events) {
    return Integer.toHexString(events.length()) + "\r\n" + events + "\r\n";
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static ByteBuffer direct(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip().asReadOnlyBuffer();
  }
}
