package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.ApiClient;
import agentengine.testing.FakeServer;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;

/** The metrics of an engine in which everything that is measured has happened at least once. */
final class BusyScrape {
  private static final List<String> LAST_TO_COME =
      List.of("engine_turns_total", "engine_tool_calls_total", "jvm_gc_pause_seconds_count");
  private static final String BUSY =
      "HTTP/1.1 429 Busy\r\nRetry-After: 3600\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
  private static final Duration SOON = Duration.ofSeconds(20);

  private BusyScrape() {}

  static Scrape of(TestEngine engine) {
    try (FakeServer busy = FakeServer.start((_, out) -> FakeServer.write(out, BUSY))) {
      keepBusy(engine.admin(), busy);
    }
    System.gc();
    return complete(engine);
  }

  /** A turn with a tool, of an agent whose first model leaves it to the second. */
  private static void keepBusy(ApiClient client, FakeServer busy) {
    String name = TestEngine.freshName();
    ObjectNode model = Json.object().put("name", name).put("type", "openai_compatible");
    model.put("model_name", "busy").put("base_url", busy.url());
    client.post("/api/v1/models", model).expect(201);
    ObjectNode agent = Json.object().put("name", name).put("model", name);
    agent.set("fallback_models", Json.array(List.of("sim")));
    agent.set("tools", Json.array(List.of("current_time")));
    client.post("/api/v1/agents", agent).expect(201);
    ObjectNode schema = Json.object().put("name", name).put("entry_agent", name);
    client.post("/api/v1/schemas", schema.put("chat_enabled", true)).expect(201);
    assertThat(client.chat(name, "[[tool current_time {}]] [[then]] [[say Late]]").readAll())
        .isNotEmpty();
  }

  /** What has happened is shown a moment later: a client hears of a turn's end before its count. */
  private static Scrape complete(TestEngine engine) {
    long deadline = System.nanoTime() + SOON.toNanos();
    Scrape scrape = Scrape.of(engine);
    while (!LAST_TO_COME.stream().allMatch(scrape::has)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      scrape = Scrape.of(engine);
    }
    return scrape;
  }
}
