package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.json.Json;
import agentengine.simulator.Simulator;
import agentengine.testing.process.EngineClient;
import agentengine.testing.process.EngineProcess;
import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log: for machines to read, and without anybody's words or keys. */
class LogTest {
  private static final String WORDS = "sesame-secret-text";

  @TempDir private Path directory;

  @Test
  void every_line_is_json_and_none_holds_what_was_said_or_a_key() {
    try (Simulator simulator = Simulator.start(0)) {
      EngineProcess.Launch launch =
          EngineProcess.Launch.in(directory)
              .withConfiguration(Fixture.configuration(simulator))
              .with(Variable.LOG_FORMAT, "json");
      EngineProcess.End killed;
      try (EngineProcess engine = launch.start()) {
        EngineClient client = engine.client();
        client.ask("help", "[[say I repeat: " + WORDS + "]]");
        client
            .chat("help", "[[chunk " + WORDS + "]] [[stall times=1 key=log]] [[chunk .]]")
            .through("message_delta");
        // So that the next start has something to tell.
        killed = engine.kill();
      }
      EngineProcess.End ended;
      try (EngineProcess engine = launch.start()) {
        EngineClient client = engine.client();
        for (String failure :
            List.of(
                "[[error 400 " + WORDS + " " + Fixture.MODEL_KEY + "]]",
                "[[line data: " + WORDS + Fixture.MODEL_KEY + "]]",
                "[[line data: {\"choices\": \"" + WORDS + "\"}]]",
                "[[chunk a]] [[stream-error " + WORDS + "]]",
                "[[chunk a]] [[cut]]")) {
          assertThat(client.chat("help", failure).rest().getLast().name()).isEqualTo("error");
        }
        ended = engine.terminate();
      }

      assertThat(killed.err()).isEmpty();
      assertThat(ended.err()).isNotEmpty();
      for (String line : ended.err()) {
        JsonNode entry = Json.parse(line);
        assertThat(entry.isObject()).as(line).isTrue();
        assertThat(entry.path("level").textValue()).isNotBlank();
        assertThat(entry.path("message").textValue()).isNotBlank();
        assertThat(line).doesNotContain(WORDS).doesNotContain(Fixture.MODEL_KEY);
      }
    }
  }
}
