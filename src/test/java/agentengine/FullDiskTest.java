package agentengine;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.BootOptions;
import agentengine.config.Variable;
import agentengine.json.Json;
import agentengine.simulator.Simulator;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** SQLite is told that its file cannot grow any more, which is what it sees of a full disk. */
class FullDiskTest {
  private static final int WITHOUT_LIMIT = 1_000_000;

  @TempDir private Path directory;
  private Simulator simulator;
  private Engine engine;
  private ApiClient client;

  @BeforeEach
  void start() throws IOException {
    simulator = Simulator.start(0);
    Path configuration = directory.resolve("engine.yaml");
    Files.writeString(
        configuration,
        """
        version: 1
        models:
          sim: {type: openai_compatible, base_url: "%s", model_name: scripted}
        agents:
          helper: {model: sim, tools: [current_time], confirm_before: [current_time]}
        schemas:
          help: {entry_agent: helper, chat_enabled: true}
        settings:
          model_override: {enabled: true, providers: [openai_compatible]}
        """
            .formatted(simulator.baseUrl()));
    engine =
        new Engine(
            BootOptions.read(
                Map.of(
                    Variable.PORT,
                    "0",
                    Variable.DATA_DIR,
                    directory.toString(),
                    Variable.CONFIG,
                    configuration.toString(),
                    Variable.SHUTDOWN_GRACE,
                    "0s")),
            System::getenv);
    client = ApiClient.of(engine.port()).withLocalSession();
  }

  @AfterEach
  void stop() {
    engine.close();
    simulator.close();
  }

  @Test
  void the_turn_says_so_and_goes_on_when_there_is_room_again() {
    EventStream stream =
        client.chat("help", "[[chunk Begun]] [[stall times=1 key=room 500ms]] [[words 20000]]");
    stream.await(event -> event.name().equals("message_delta"));
    allowPages(1);

    List<EventStream.Event> events = stream.readAll();
    assertThat(events.getLast().name()).isEqualTo("error");
    assertThat(events.getLast().data().path("code").textValue()).isEqualTo("internal_error");
    assertThat(events.getLast().data().path("message").textValue()).contains("disk");
    assertThat(client.get("/api/v1/health").status()).isEqualTo(200);
    assertThat(session(stream).path("status").textValue()).isEqualTo("running");

    allowPages(WITHOUT_LIMIT);
    List<EventStream.Event> after = client.attach(stream.sessionId(), null).readAll();
    assertThat(after.getLast().name()).isEqualTo("done");
    assertThat(session(stream).path("messages")).hasSize(2);
  }

  @Test
  void a_turn_with_a_key_of_its_own_goes_on_with_that_key() {
    EventStream stream =
        client.chat(
            "help",
            "[[chunk Begun]] [[stall times=1 key=own 500ms]] [[words 20000]]",
            Map.of("X-Model-Provider", "openai_compatible", "X-Model-API-Key", "own"));
    stream.await(event -> event.name().equals("message_delta"));
    allowPages(1);
    assertThat(stream.readAll().getLast().name()).isEqualTo("error");

    allowPages(WITHOUT_LIMIT);
    List<EventStream.Event> after = client.attach(stream.sessionId(), null).readAll();
    assertThat(after.getLast().name()).isEqualTo("done");
    assertThat(simulator.requests())
        .hasSizeGreaterThan(1)
        .allMatch(request -> request.header("Authorization").equals("Bearer own"));
  }

  @Test
  void an_approval_that_cannot_be_kept_is_refused_and_can_be_given_again() {
    EventStream stream = client.chat("help", "[[tool current_time {}]] [[then]] [[say Fine]]");
    String callId =
        stream
            .await(event -> event.name().equals("confirmation"))
            .data()
            .path("call_id")
            .textValue();
    allowPages(1);
    fillUp();
    var answer = Json.object().put("call_id", callId);
    answer.putArray("answers").add("reject: " + "x".repeat(9_000));
    String respond = "/api/v1/sessions/" + stream.sessionId() + "/respond";

    assertThat(client.post(respond, answer).error(503)).isEqualTo("overloaded");
    allowPages(WITHOUT_LIMIT);
    client.post(respond, answer).expect(200);
    assertThat(stream.readAll().getLast().name()).isEqualTo("done");
  }

  private JsonNode session(EventStream stream) {
    return client.get("/api/v1/sessions/" + stream.sessionId()).expect(200);
  }

  /** A limit below the present size means the present size. */
  private void allowPages(int pages) {
    engine.database().write(handle -> handle.execute("PRAGMA max_page_count = " + pages));
  }

  /** Takes up what is free inside of the file. */
  private void fillUp() {
    for (int i = 0; i < 1_000; i++) {
      if (client
              .post(
                  "/api/v1/schemas/help/chat",
                  Json.object().put("message", "x".repeat(9_000)).put("stream", false))
              .status()
          != 200) {
        return;
      }
    }
    throw new AssertionError("the file still grows");
  }
}
