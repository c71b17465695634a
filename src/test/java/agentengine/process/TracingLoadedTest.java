package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.simulator.Simulator;
import agentengine.testing.process.EngineProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who wants no spans does not load what makes them. */
class TracingLoadedTest {
  private final Path classes;
  private final Path directory;

  TracingLoadedTest(@TempDir Path directory) {
    this.directory = directory;
    this.classes = directory.resolve("classes.txt");
  }

  @Test
  void nothing_of_it_is_loaded_when_it_is_off() throws IOException {
    assertThat(loadedFor(EngineProcess.Launch.in(directory))).isEmpty();
  }

  @Test
  void it_is_loaded_when_it_is_on() throws IOException {
    assertThat(
            loadedFor(
                EngineProcess.Launch.in(directory)
                    .with(Variable.OTEL_EXPORTER_OTLP_ENDPOINT, "http://127.0.0.1:1")))
        .isNotEmpty();
  }

  /** The library's classes that an engine has loaded after a chat and its end. */
  private List<String> loadedFor(EngineProcess.Launch launch) throws IOException {
    try (Simulator simulator = Simulator.start(0);
        EngineProcess engine =
            launch
                .withConfiguration(Fixture.configuration(simulator))
                .withJvmOptions("-Xlog:class+load:file=" + classes)
                .start()) {
      assertThat(engine.client().ask("help", "[[say hi]]").path("response").textValue())
          .isEqualTo("hi");
      assertThat(engine.terminate().status()).isZero();
    }
    List<String> lines = Files.readAllLines(classes);
    assertThat(lines).anyMatch(line -> line.contains("agentengine.turn.TurnLoop"));
    return lines.stream()
        .filter(line -> line.contains("io.opentelemetry.") || line.contains("trace.Otlp"))
        .toList();
  }
}
