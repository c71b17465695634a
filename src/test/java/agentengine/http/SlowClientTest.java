package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clients that take their time take nobody else's. */
class SlowClientTest {
  private static final int SLOW_CLIENTS = 100;

  private final TestEngine engine = TestEngine.shared(TestDatabases.Kind.SQLITE);
  private final ApiClient client = engine.admin();
  private final String bearer = RawHttp.bearer(client.token());

  @Test
  void bodies_that_trickle_hold_up_nobody_else() {
    List<RawHttp> slow = new ArrayList<>();
    for (int i = 0; i < SLOW_CLIENTS; i++) {
      slow.add(new RawHttp(engine.port()));
    }
    for (RawHttp http : slow) {
      http.write(RawHttp.head("POST", "/api/v1/agents", bearer, "Content-Length: 14"), "{");
    }

    assertOthersAreServed();
    for (RawHttp http : slow) {
      JsonNode answer = http.write("\"nonsense\":1}").read().expect(400);
      assertThat(answer.path("details").findValuesAsText("field")).contains("nonsense");
      http.close();
    }
  }

  @Test
  void heads_that_trickle_hold_up_nobody_else() {
    List<RawHttp> slow = new ArrayList<>();
    for (int i = 0; i < SLOW_CLIENTS; i++) {
      slow.add(new RawHttp(engine.port()).write("GET /api/v1/health HTTP/1.1\r\nHost: loc"));
    }

    assertOthersAreServed();
    for (RawHttp http : slow) {
      assertThat(http.write("alhost\r\n\r\n").read().status()).isEqualTo(200);
      http.close();
    }
  }

  @Test
  void a_client_that_does_not_read_its_stream_holds_up_neither_its_turn_nor_others() {
    String name = TestEngine.freshName();
    ObjectNode agent = Json.object().put("name", name).put("model", "sim");
    client.post("/api/v1/agents", agent.put("system", "x".repeat(200_000))).expect(201);
    ObjectNode schema = Json.object().put("name", name).put("entry_agent", name);
    client.post("/api/v1/schemas", schema.put("chat_enabled", true)).expect(201);
    // Some megabytes, which is more than the sockets between the two can hold.
    ObjectNode message = Json.object().put("message", "[[chunk {{system}}]]".repeat(30));
    String body = Json.write(message);

    try (RawHttp http = new RawHttp(engine.port())) {
      http.write(
          RawHttp.head(
              "POST",
              "/api/v1/schemas/" + name + "/chat",
              bearer,
              "Content-Length: " + body.length()),
          body);
      String session = String.valueOf(http.readHead().header("X-Session-Id"));

      assertOthersAreServed();
      assertThat(client.attach(session, null).readAll().getLast().name()).isEqualTo("done");
      assertThat(client.get("/api/v1/sessions/" + session).expect(200).path("status").textValue())
          .isEqualTo("idle");
    }
  }

  private void assertOthersAreServed() {
    assertThat(client.get("/api/v1/agents").status()).isEqualTo(200);
    assertThat(client.get("/api/v1/health").status()).isEqualTo(200);
    assertThat(client.chat("help", "[[say Hi]]").await("message").content()).isEqualTo("Hi");
  }
}
