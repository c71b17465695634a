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
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a provider signed comes back to it with the result of the tool, whatever happened between.
 */
class SignedThinkingTest {
  /** The two that refuse a result without what they signed before its call. */
  enum Signing {
    ANTHROPIC(
        "claude-sonnet-5-5",
        "/messages/1/content/0",
        "{\"type\":\"thinking\",\"thinking\":\"A clock.\",\"signature\":\"c2lnbmVk\"}",
        """
        data: {"type":"message_start","message":{"role":"assistant","content":[],\
        "usage":{"input_tokens":9,"output_tokens":1}}}

        data: {"type":"content_block_start","index":0,\
        "content_block":{"type":"thinking","thinking":"","signature":""}}

        data: {"type":"content_block_delta","index":0,\
        "delta":{"type":"thinking_delta","thinking":"A clock."}}

        data: {"type":"content_block_delta","index":0,\
        "delta":{"type":"signature_delta","signature":"c2lnbmVk"}}

        data: {"type":"content_block_stop","index":0}

        data: {"type":"content_block_start","index":1,\
        "content_block":{"type":"tool_use","id":"toolu_1","name":"current_time","input":{}}}

        data: {"type":"content_block_delta","index":1,\
        "delta":{"type":"input_json_delta","partial_json":"{\\"timezone\\":\\"UTC\\"}"}}

        data: {"type":"content_block_stop","index":1}

        data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},\
        "usage":{"output_tokens":5}}

        data: {"type":"message_stop"}

        """,
        """
        data: {"type":"message_start","message":{"role":"assistant","content":[],\
        "usage":{"input_tokens":9,"output_tokens":1}}}

        data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}

        data: {"type":"content_block_delta","index":0,\
        "delta":{"type":"text_delta","text":"It is late."}}

        data: {"type":"content_block_stop","index":0}

        data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},\
        "usage":{"output_tokens":5}}

        data: {"type":"message_stop"}

        """),
    GOOGLE(
        "gemini-3.5-flash",
        "/contents/1/parts/0/thoughtSignature",
        "\"c2lnbmVk\"",
        """
        data: {"candidates":[{"content":{"role":"model","parts":[\
        {"functionCall":{"name":"current_time","args":{"timezone":"UTC"}},\
        "thoughtSignature":"c2lnbmVk"}]},"finishReason":"STOP","index":0}],\
        "usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":5}}

        """,
        """
        data: {"candidates":[{"content":{"role":"model","parts":[{"text":"It is late."}]},\
        "finishReason":"STOP","index":0}],\
        "usageMetadata":{"promptTokenCount":9,"candidatesTokenCount":5}}

        """);

    private final String model;
    private final String place;
    private final String signed;
    private final String call;
    private final String text;

    Signing(String model, String place, String signed, String call, String text) {
      this.model = model;
      this.place = place;
      this.signed = signed;
      this.call = call;
      this.text = text;
    }

    FakeServer start() {
      return FakeServer.start(
          (request, out) -> {
            boolean hasResult = request.body().matches("(?s).*(tool_result|functionResponse).*");
            FakeServer.write(out, FakeServer.ok("text/event-stream") + (hasResult ? text : call));
          });
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_comes_back_also_when_the_engine_was_stopped_before_the_tool_ran(Signing provider) {
    try (FakeServer server = provider.start();
        TestEngine engine = TestEngine.start(TestDatabases.Kind.SQLITE)) {
      EventStream stream = scene(engine, provider, server, true).chat("What time is it?");
      String callId = stream.await("confirmation").data().path("call_id").textValue();
      engine.restart();

      ApiClient client = engine.admin();
      ObjectNode approval = Json.object().put("call_id", callId);
      approval.putArray("answers").add("approve");
      client.post("/api/v1/sessions/" + stream.sessionId() + "/respond", approval).expect(200);
      List<EventStream.Event> events = client.attach(stream.sessionId(), null).readAll();

      assertThat(Scene.of(events, "message").content()).isEqualTo("It is late.");
      assertThat(sentBack(server, provider)).isEqualTo(Json.parse(provider.signed));
    }
  }

  @ParameterizedTest
  @EnumSource
  void it_comes_back_and_nobody_else_sees_it(Signing provider) {
    try (FakeServer server = provider.start();
        TestEngine engine = TestEngine.start(TestDatabases.Kind.SQLITE)) {
      Scene scene = scene(engine, provider, server, false);
      EventStream stream = scene.chat("What time is it?");
      List<EventStream.Event> events = stream.readAll();

      assertThat(Scene.of(events, "message").content()).isEqualTo("It is late.");
      assertThat(sentBack(server, provider)).isEqualTo(Json.parse(provider.signed));
      assertThat(events).noneMatch(event -> event.data().toString().contains("c2lnbmVk"));
      assertThat(scene.session(stream.sessionId()).toString()).doesNotContain("c2lnbmVk");
    }
  }

  private static Scene scene(
      TestEngine engine, Signing provider, FakeServer server, boolean gated) {
    ApiClient client = engine.admin();
    ObjectNode model =
        Json.object()
            .put("name", "thinker")
            .put("type", provider.name().toLowerCase(Locale.ROOT))
            .put("model_name", provider.model)
            .put("base_url", server.url())
            .put("api_key", "key-of-the-model");
    client.post("/api/v1/models", model).expect(201);
    Scene scene = new Scene(client);
    return scene.open(
        scene.agent(
            agent -> {
              agent.put("model", "thinker");
              agent.set("tools", Json.array(List.of("current_time")));
              agent.set("confirm_before", Json.array(gated ? List.of("current_time") : List.of()));
            }));
  }

  private static JsonNode sentBack(FakeServer server, Signing provider) {
    assertThat(server.requests()).hasSize(2);
    return Json.parse(server.requests().getLast().body()).at(provider.place);
  }
}
