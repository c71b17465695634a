package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.FakeServer;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a tool's server does, the model is told and the turn goes on. */
@ParameterizedClass
@EnumSource
class ToolFaultTest {
  private final ApiClient client;
  private final Scene scene;
  private final String tool = TestEngine.freshName().replace('-', '_');

  ToolFaultTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
    scene = new Scene(client);
  }

  @Test
  void a_server_error_is_a_failed_call_whose_body_the_model_sees() {
    try (FakeServer server =
        FakeServer.start(
            (_, out) ->
                FakeServer.write(out, "HTTP/1.1 500 Oops\r\nContent-Length: 9\r\n\r\nno stock!"))) {
      assertThat(failure(server, "10s")).contains("500").contains("no stock!");
    }
  }

  @Test
  void an_answer_that_breaks_off_is_a_failed_call() {
    try (FakeServer server =
        FakeServer.start((_, out) -> FakeServer.write(out, FakeServer.cutShort("text/plain")))) {
      assertThat(failure(server, "10s")).isNotBlank();
    }
  }

  @Test
  void an_endless_answer_is_a_failed_call() {
    byte[] megabyte = new byte[1 << 20];
    try (FakeServer server =
        FakeServer.start(
            (_, out) -> {
              FakeServer.write(out, FakeServer.ok("text/plain"));
              for (int i = 0; i < 1024; i++) {
                out.write(megabyte);
              }
            })) {
      assertThat(failure(server, "30s")).contains("1 MiB");
    }
  }

  @Test
  void a_server_that_hangs_is_given_up_after_the_tools_time() throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    try (FakeServer server = hanging(end)) {
      assertThat(failure(server, "300ms")).contains("300ms").contains("unknown");
    } finally {
      end.countDown();
    }
  }

  @Test
  void cancelling_reaches_the_tool_that_runs() {
    CountDownLatch end = new CountDownLatch(1);
    try (FakeServer server = hanging(end)) {
      open(server, "60s");
      EventStream stream = scene.chat("[[tool " + tool + " {}]] [[then]] [[say never]]");
      stream.await(event -> event.name().equals("tool_call"));

      client.post("/api/v1/sessions/" + stream.sessionId() + "/cancel", null).expect(200);

      List<EventStream.Event> events = stream.readAll();
      assertThat(Scene.durable(events)).containsExactly("tool_result", "error");
      assertThat(Scene.of(events, "tool_result").data().path("error").textValue())
          .contains("cancelled");
      assertThat(scene.session(stream.sessionId()).path("status").textValue()).isEqualTo("idle");
    } finally {
      end.countDown();
    }
  }

  @Test
  void what_is_not_text_is_still_something_that_can_be_kept() {
    try (FakeServer server =
        FakeServer.start(
            (_, out) -> {
              FakeServer.write(out, FakeServer.ok("text/plain"));
              out.write(new byte[] {'a', 0, (byte) 0xff, (byte) 0xc3, 'b'});
            })) {
      open(server, "10s");

      JsonNode body = scene.ask("[[tool " + tool + " {}]] [[then]] [[say ok]]");

      assertThat(body.path("tool_calls").path(0).path("status").textValue()).isEqualTo("completed");
      assertThat(body.path("tool_calls").path(0).path("output").textValue())
          .startsWith("a\uFFFD")
          .endsWith("b");
    }
  }

  @Test
  void a_long_output_is_cut_for_the_model_but_not_for_the_client() {
    try (FakeServer server = FakeServer.saying("text/plain", "y".repeat(200_000))) {
      open(server, "10s");

      JsonNode body = scene.ask("[[tool " + tool + " {}]] [[then]] [[say ok]]");

      assertThat(body.path("tool_calls").path(0).path("output").textValue()).hasSize(200_000);
      JsonNode session = scene.session(body.path("session_id").textValue());
      assertThat(session.path("messages").path(2).path("content").textValue())
          .hasSizeLessThan(66_000)
          .endsWith("[cut here: 200000 characters in all]");
    }
  }

  private static FakeServer hanging(CountDownLatch end) {
    return FakeServer.start(
        (_, _) -> {
          try {
            end.await();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          }
        });
  }

  private String failure(FakeServer server, String timeout) {
    open(server, timeout);
    EventStream stream = scene.chat("[[tool " + tool + " {}]] [[then]] [[say {{result}}]]");
    List<EventStream.Event> events = stream.readAll();
    assertThat(Scene.durable(events))
        .containsExactly("tool_call", "tool_result", "message", "done");
    String error = Scene.of(events, "tool_result").data().path("error").textValue();
    assertThat(Scene.of(events, "message").content()).contains(error);
    return error;
  }

  private void open(FakeServer server, String timeout) {
    ObjectNode declared =
        Json.object().put("name", tool).put("url", server.url() + "/x").put("timeout", timeout);
    client.post("/api/v1/tools", declared).expect(201);
    scene.open(scene.agentWith(tool));
  }
}
