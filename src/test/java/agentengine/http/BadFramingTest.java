package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.http.ApiDocument.Operation;
import agentengine.testing.Answer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bodies whose length is a lie, and what they must not do to the next request. */
class BadFramingTest {
  private static final String CHUNKED = "Transfer-Encoding: chunked";
  private static final String HEALTH = RawHttp.head("GET", "/api/v1/health");
  private static final List<Operation> TAKING_BODIES =
      ApiDocument.operations().stream().filter(Operation::hasBody).toList();

  private final TestEngine engine = TestEngine.shared(TestDatabases.Kind.SQLITE);
  private final String bearer = RawHttp.bearer(engine.admin().token());

  @Test
  void a_body_in_chunks_is_read_like_any_other() {
    Answer answer =
        RawHttp.send(
            engine.port(),
            RawHttp.head("POST", "/api/v1/agents", bearer, CHUNKED),
            RawHttp.chunk("{\"nons"),
            RawHttp.chunk("ense\": 1}"),
            "0\r\n\r\n");

    assertThat(answer.expect(400).path("details").findValuesAsText("field")).contains("nonsense");
  }

  @Test
  void a_body_that_is_announced_as_too_large_is_refused_before_it_comes() {
    for (Operation operation : TAKING_BODIES) {
      for (long length : new long[] {1024 * 1024 + 1, 4_000_000, 5_000_000, 1L << 40}) {
        Answer answer = RawHttp.send(engine.port(), head(operation, "Content-Length: " + length));
        assertThat(answer.error(413)).as(operation + " " + length).isEqualTo("payload_too_large");
      }
    }
  }

  @Test
  void a_body_that_becomes_too_large_in_chunks_is_refused() {
    String[] parts = new String[18];
    parts[17] = "0\r\n\r\n";
    for (Operation operation : TAKING_BODIES) {
      parts[0] = head(operation, CHUNKED);
      for (int i = 1; i < 17; i++) {
        parts[i] = RawHttp.chunk(" ".repeat(70_000));
      }
      Answer answer = RawHttp.send(engine.port(), parts);
      assertThat(answer.error(413)).as(operation.toString()).isEqualTo("payload_too_large");
    }
  }

  @Test
  void a_chunk_that_claims_to_be_enormous_is_refused_before_it_comes() {
    for (String size : List.of("7fffffff", "c00001")) {
      Answer answer =
          RawHttp.send(
              engine.port(),
              RawHttp.head("POST", "/api/v1/agents", bearer, CHUNKED),
              size + "\r\n{}");
      assertThat(answer.error(413)).isEqualTo("payload_too_large");
    }
  }

  @Test
  void malformed_chunks_are_refused_and_the_connection_is_not_used_again() {
    for (String chunks :
        List.of(
            "zz\r\nabc\r\n0\r\n\r\n",
            "-5\r\nabc\r\n0\r\n\r\n",
            "\r\n\r\n",
            " \r\n\r\n",
            "ffffffffffff\r\nabc",
            "0\r\nTrailer: x\r\n\r\n",
            "2\r\n{}0\r\n\r\n")) {
      try (RawHttp http = new RawHttp(engine.port())) {
        http.write(RawHttp.head("POST", "/api/v1/agents", bearer, CHUNKED), chunks);
        Answer answer = http.read();
        assertThat(answer.error(400)).as(chunks).isEqualTo("invalid_request");
        assertThat(answer.header("Connection")).as(chunks).isEqualTo("close");
        assertThat(http.isClosedByEngine()).as(chunks).isTrue();
      }
    }
  }

  @Test
  void contradicting_lengths_are_refused() {
    for (List<String> headers :
        List.of(
            List.of("Content-Length: 2", CHUNKED),
            List.of("Content-Length: 2", "Content-Length: 3"),
            List.of("Content-Length: -1"),
            List.of("Content-Length: +2"),
            List.of("Content-Length: 2x"),
            List.of("Content-Length: "),
            List.of("Content-Length: 99999999999999999999"),
            List.of("Transfer-Encoding: gzip"),
            List.of("Transfer-Encoding: identity, chunked"),
            List.of("Transfer-Encoding: chunked, gzip"))) {
      String[] all = {bearer, headers.getFirst(), headers.getLast()};
      String[] some = {bearer, headers.getFirst()};
      Answer answer =
          RawHttp.send(
              engine.port(),
              RawHttp.head("POST", "/api/v1/agents", headers.size() == 1 ? some : all),
              "{}");
      // 501 is what HTTP has for a transfer encoding that the server does not know.
      assertThat(answer.status()).as(headers.toString()).isIn(400, 501);
      assertThat(answer.json().path("error").textValue()).isEqualTo("invalid_request");
    }
  }

  @Test
  void a_client_that_leaves_in_the_middle_of_its_body_is_no_failure() {
    double failures = failures();
    for (String framing : List.of("Content-Length: 50", CHUNKED)) {
      try (RawHttp http = new RawHttp(engine.port())) {
        http.write(RawHttp.head("POST", "/api/v1/agents", bearer, framing), "5\r\n{")
            .finishWriting();
        assertThat(http.isClosedByEngine()).isTrue();
      }
    }
    assertThat(failures()).isEqualTo(failures);
  }

  @Test
  void a_body_that_nobody_reads_does_not_become_the_next_request() {
    String body = RawHttp.head("GET", "/smuggled");
    String length = "Content-Length: " + body.length();
    for (String head :
        List.of(
            RawHttp.head("POST", "/api/v1/agents", length),
            RawHttp.head("POST", "/api/v1/agents", bearer, length, "Content-Type: text/plain"),
            RawHttp.head("POST", "/api/v1/sessions/x/cancel", bearer, length),
            RawHttp.head("GET", "/api/v1/agents", bearer, length),
            RawHttp.head("DELETE", "/api/v1/agents/nothing", bearer, length),
            RawHttp.head("GET", "/nowhere", length))) {
      assertNextAnswerIsHealth(head + body);
    }
    assertNextAnswerIsHealth(
        RawHttp.head("POST", "/api/v1/agents", CHUNKED) + RawHttp.chunk(body) + "0\r\n\r\n");
    String large = "x".repeat(2_000_000);
    assertNextAnswerIsHealth(
        RawHttp.head("POST", "/api/v1/agents", bearer, "Content-Length: " + large.length())
            + large);
  }

  private void assertNextAnswerIsHealth(String request) {
    try (RawHttp http = new RawHttp(engine.port())) {
      http.write(request, HEALTH);
      Answer first = http.read();
      assertThat(first.header("Connection")).isEqualTo("keep-alive");
      assertThat(http.read().expect(200).path("status").textValue()).isEqualTo("ok");
    }
  }

  @Test
  void a_body_without_a_worthwhile_end_closes_the_connection() {
    String smuggled = RawHttp.head("GET", "/smuggled");
    for (String framing :
        List.of("Content-Length: 12000000", "Content-Length: 2\r\nExpect: 100-continue")) {
      try (RawHttp http = new RawHttp(engine.port())) {
        http.write(RawHttp.head("POST", "/api/v1/agents", framing));
        Answer answer = http.read();
        assertThat(answer.error(401)).isEqualTo("unauthorized");
        assertThat(answer.header("Connection")).isEqualTo("close");
        assertThat(http.isClosedByEngine()).isTrue();
      }
    }
    try (RawHttp http = new RawHttp(engine.port())) {
      http.write(RawHttp.head("GET", "/api/v1/health", "Connection: close"), smuggled);
      assertThat(http.read().status()).isEqualTo(200);
    }
  }

  @Test
  void a_client_that_says_close_sees_the_connection_end() {
    for (String head :
        List.of(
            RawHttp.head("GET", "/api/v1/health", "Connection: close"),
            RawHttp.head("GET", "/nowhere", "Connection: Close"),
            RawHttp.head("DELETE", "/api/v1/agents/nothing", bearer, "Connection: close"),
            RawHttp.head("POST", "/api/v1/agents", "Connection: close", "Content-Length: 2")
                + "{}")) {
      try (RawHttp http = new RawHttp(engine.port())) {
        Answer _ = http.write(head).read();
        assertThat(http.isClosedByEngine()).as(head).isTrue();
      }
    }
  }

  @Test
  void a_client_that_waits_to_send_its_body_is_told_to() {
    try (RawHttp http = new RawHttp(engine.port())) {
      http.write(
          RawHttp.head(
              "POST", "/api/v1/agents", bearer, "Expect: 100-continue", "Content-Length: 2"));
      assertThat(http.readHead().status()).isEqualTo(100);
      assertThat(http.write("{}").read().error(400)).isEqualTo("invalid_request");
    }
  }

  private String head(Operation operation, String header) {
    return RawHttp.head(operation.method(), operation.path("x"), bearer, header);
  }

  private double failures() {
    return Scrape.of(engine).sum("engine_http_requests_total", "status=\"500\"");
  }
}
