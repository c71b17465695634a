package agentengine.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.bench.load.Target.Protocol;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ResponseDecoderTest {

  private static final String ENGINE_EVENTS =
      """
      event: message_delta
      data: {"content":" tok~"}
      id: 1.1.1

      : still here

      event: message_delta
      data: {"content":" tok~ tok~"}
      id: 1.1.2

      event: message
      data: {"content":" tok~ tok~ tok~","role":"assistant"}
      id: 1.1.3

      event: done
      data: {"session_id":"s1","tokens":9}
      id: 1.1.4

      """;

  private final EventCounter events = new EventCounter(Protocol.ENGINE);
  private final ResponseDecoder decoder = new ResponseDecoder(events);

  @Test
  void aStreamIsCountedTheSameWhereverItIsCut() {
    byte[] response = chunked(ENGINE_EVENTS, 50);
    for (int cut = 0; cut <= response.length; cut++) {
      decoder.reset();
      decoder.accept(response, cut);
      decoder.accept(Arrays.copyOfRange(response, cut, response.length), response.length - cut);
      assertThat(decoder.complete()).as("complete, cut at %d", cut).isTrue();
      assertThat(decoder.problem(3)).as("problem, cut at %d", cut).isNull();
      assertThat(events.deltas()).as("deltas, cut at %d", cut).isEqualTo(2);
      assertThat(decoder.sessionId()).isEqualTo("s1");
    }
  }

  @Test
  void tokensOfTheCompleteMessageDoNotCountAgain() {
    byte[] response = chunked(ENGINE_EVENTS, 1_000);
    decoder.accept(response, response.length);
    assertThat(events.tokens()).isEqualTo(3);
    assertThat(decoder.problem(4)).isEqualTo("3 tokens instead of 4");
  }

  @Test
  void anErrorEventIsAProblem() {
    byte[] response = chunked("event: error\ndata: {\"code\":\"model_error\"}\n\n", 1_000);
    decoder.accept(response, response.length);
    assertThat(decoder.problem(3)).contains("model_error");
  }

  @Test
  void aRefusalIsReportedWithItsBody() {
    byte[] response =
        bytes("HTTP/1.1 503 Busy\r\nContent-Length: 22\r\n\r\n{\"error\":\"overloaded\"}");
    decoder.accept(response, response.length);
    assertThat(decoder.complete()).isTrue();
    assertThat(decoder.problem(3)).isEqualTo("HTTP 503 {\"error\":\"overloaded\"}");
  }

  private static byte[] chunked(String body, int chunkLength) {
    StringBuilder response =
        new StringBuilder(
            "HTTP/1.1 200 OK\r\nX-Session-Id: s1\r\nTransfer-Encoding: chunked\r\n\r\n");
    for (int at = 0; at < body.length(); at += chunkLength) {
      String chunk = body.substring(at, Math.min(at + chunkLength, body.length()));
      response.append(Integer.toHexString(chunk.length())).append("\r\n").append(chunk);
      response.append("\r\n");
    }
    return bytes(response.append("0\r\n\r\n").toString());
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
