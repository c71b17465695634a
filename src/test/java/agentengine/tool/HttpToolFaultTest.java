package agentengine.tool;

import static agentengine.tool.ToolCaller.failure;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Calls of declared tools to a server that misbehaves, or that must not be called. */
class HttpToolFaultTest {
  private static final String JSON = "application/json";
  private static final byte[] MEGABYTE = new byte[1024 * 1024];

  private final ToolCaller caller = new ToolCaller();

  @AfterEach
  void close() {
    caller.close();
  }

  @Test
  void what_no_database_can_hold_is_replaced() throws Exception {
    assertThat(caller.answer(JSON, "{\"a\\u0000\": [\"\\ud800x\", \"\\ud83d\\ude00\"]}"))
        .isEqualTo(Json.parse("{\"a\uFFFD\": [\"\uFFFDx\", \"\uD83D\uDE00\"]}"));
    assertThat(caller.answer("text/plain", "a\0b")).isEqualTo(TextNode.valueOf("a\uFFFDb"));
    try (FakeServer server =
        FakeServer.start(
            (_, out) -> {
              FakeServer.write(out, FakeServer.ok("text/plain"));
              out.write(new byte[] {'a', (byte) 0xff, (byte) 0xc3, 'b'});
            })) {
      assertThat(caller.tool(server).run("c1", Json.object()).textValue())
          .startsWith("a\uFFFD")
          .endsWith("b");
    }
  }

  @Test
  void a_redirect_elsewhere_or_without_end_fails_and_says_where_it_went() throws Exception {
    for (String target :
        List.of(
            "http://elsewhere.example/",
            "https://127.0.0.1/",
            "http://127.0.0.1:1/",
            "http://169.254.169.254/latest",
            "//elsewhere.example/",
            "file:///etc/passwd",
            "http://[broken")) {
      try (FakeServer server = redirecting(target)) {
        assertThat(failure(caller.tool(server)))
            .contains("redirects to " + target)
            .contains("only within its own host");
        assertThat(server.requests()).hasSize(1);
      }
    }
    try (FakeServer server = redirecting("/again")) {
      assertThat(failure(caller.tool(server))).contains("more than 3 times");
      assertThat(server.requests()).hasSize(4);
    }
  }

  private static FakeServer redirecting(String target) {
    return FakeServer.start(
        (_, out) ->
            FakeServer.write(
                out,
                "HTTP/1.1 302 Found\r\nLocation: " + target + "\r\nContent-Length: 0\r\n\r\n"));
  }

  @Test
  void a_server_that_is_not_there_or_leaves_is_a_clear_failure() throws Exception {
    int nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = socket.getLocalPort();
    }
    assertThat(failure(caller.toolAt("http://127.0.0.1:" + nobody + "/", "'effect': 'unsafe'")))
        .isEqualTo("no connection to 127.0.0.1:" + nobody + ": it is refused");
    assertThat(failure(caller.toolAt("http://nowhere.invalid/", "'effect': 'unsafe'")))
        .isEqualTo("the host nowhere.invalid cannot be found");
    for (String half :
        List.of(
            "",
            "HTTP/1.1 200 OK\r\nContent-Le",
            FakeServer.cutShort(JSON) + "{\"a\":",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc",
            "nonsense\r\n\r\n")) {
      try (FakeServer server = FakeServer.start((_, out) -> FakeServer.write(out, half))) {
        assertThat(failure(caller.tool(server, "/", "'method': 'POST'")))
            .as(half)
            .startsWith("the connection to 127.0.0.1:");
        // What may have had an effect is not sent again.
        assertThat(server.requests()).hasSize(1);
      }
    }
  }

  @Test
  void a_server_without_tls_is_a_clear_failure() throws Exception {
    try (ServerSocket plain = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket connection = plain.accept()) {
                  FakeServer.write(connection.getOutputStream(), "HTTP/1.1 400 Bad\r\n\r\n");
                  int _ = connection.getInputStream().read();
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
      String url = "https://127.0.0.1:" + plain.getLocalPort() + "/";
      assertThat(failure(caller.toolAt(url, "'effect': 'unsafe'")))
          .startsWith("no secure connection to 127.0.0.1:");
    }
  }

  @Test
  void an_answer_may_have_a_mebibyte_and_no_more_is_read() throws Exception {
    try (FakeServer server =
        FakeServer.saying("text/plain", "x".repeat(HttpCall.MAX_ANSWER_BYTES))) {
      assertThat(caller.tool(server).run("c1", Json.object()).textValue())
          .hasSize(HttpCall.MAX_ANSWER_BYTES);
    }
    AtomicLong sent = new AtomicLong();
    CountDownLatch cut = new CountDownLatch(1);
    try (FakeServer server =
        FakeServer.start(
            (_, out) -> {
              FakeServer.write(
                  out,
                  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1073741824\r\n\r\n");
              try {
                for (int i = 0; i < 1024; i++) {
                  out.write(MEGABYTE);
                  sent.addAndGet(MEGABYTE.length);
                }
              } finally {
                cut.countDown();
              }
            })) {
      assertThat(failure(caller.tool(server))).contains("more than 1 MiB");
      assertThat(cut.await(30, TimeUnit.SECONDS)).isTrue();
      assertThat(sent.get()).isLessThan(64L * MEGABYTE.length);
    }
  }

  @Test
  void headers_without_end_are_not_read_to_their_end() throws Exception {
    for (String more : List.of("X-Header: more\r\n", "x".repeat(1_000))) {
      CountDownLatch cut = new CountDownLatch(1);
      try (FakeServer server =
          FakeServer.start(
              (_, out) -> {
                FakeServer.write(out, "HTTP/1.1 200 OK\r\nX-First: ");
                try {
                  while (true) {
                    FakeServer.write(out, more);
                  }
                } finally {
                  cut.countDown();
                }
              })) {
        assertThat(failure(caller.tool(server))).startsWith("the connection to 127.0.0.1:");
        assertThat(cut.await(30, TimeUnit.SECONDS)).isTrue();
      }
    }
  }

  @Test
  void a_compressed_answer_is_unpacked_up_to_the_same_limit() throws Exception {
    for (int megabytes : new int[] {0, 50}) {
      try (FakeServer server =
          FakeServer.start(
              (_, out) -> {
                FakeServer.write(
                    out,
                    FakeServer.ok("text/plain")
                        .replace("Connection:", "Content-Encoding: gzip\r\nConnection:"));
                out.write(zipped(megabytes));
              })) {
        Tool tool = caller.tool(server);
        if (megabytes == 0) {
          assertThat(tool.run("c1", Json.object()).textValue()).isEqualTo("short");
        } else {
          assertThat(failure(tool)).contains("more than 1 MiB");
        }
      }
    }
  }

  private static byte[] zipped(int megabytes) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream out = new GZIPOutputStream(bytes)) {
      out.write("short".getBytes(StandardCharsets.UTF_8));
      for (int i = 0; i < megabytes; i++) {
        out.write(MEGABYTE);
      }
    }
    return bytes.toByteArray();
  }

  @Test
  void an_interrupt_ends_a_call_wherever_it_waits() throws Exception {
    for (String soFar : List.of("", FakeServer.cutShort("text/plain") + "abc")) {
      CountDownLatch called = new CountDownLatch(1);
      CountDownLatch over = new CountDownLatch(1);
      try (FakeServer server =
          FakeServer.start(
              (_, out) -> {
                FakeServer.write(out, soFar);
                called.countDown();
                await(over);
              })) {
        Tool tool = caller.tool(server, "/", "'method': 'POST'");
        CompletableFuture<Throwable> ending = new CompletableFuture<>();
        Thread caller =
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        ending.completeExceptionally(
                            new AssertionError(tool.run("c1", Json.object())));
                      } catch (ToolFailure | InterruptedException | RuntimeException e) {
                        ending.complete(e);
                      }
                    });
        assertThat(called.await(30, TimeUnit.SECONDS)).isTrue();
        caller.interrupt();
        assertThat(ending.get(30, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
      } finally {
        over.countDown();
      }
    }
  }

  @Test
  void a_server_that_hangs_is_left_after_the_tools_own_limit_at_the_latest() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    try (FakeServer server = FakeServer.start((_, _) -> await(over))) {
      assertThat(failure(caller.tool(server, "/", "'timeout': '50ms'")))
          .contains("did not answer within 50ms");
    } finally {
      over.countDown();
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      boolean _ = latch.await(60, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void link_local_and_metadata_addresses_are_refused_before_anything_is_sent() throws Exception {
    for (String host :
        List.of("169.254.169.254", "169.254.1.1", "[fe80::1]", "[::ffff:169.254.169.254]")) {
      assertThat(failure(caller.toolAt("http://" + host + "/latest", "'effect': 'unsafe'")))
          .as(host)
          .contains("tools may not call");
    }
  }
}
