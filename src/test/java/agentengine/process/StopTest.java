package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.simulator.Simulator;
import agentengine.testing.process.EngineClient;
import agentengine.testing.process.EngineProcess;
import agentengine.testing.process.ServerEvent;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How an engine comes up, and how it goes when it is asked to. */
class StopTest {
  @TempDir private Path directory;

  @Test
  void it_prints_one_line_with_its_address_and_ends_well_when_it_is_told_to_stop() {
    // A flag wins over a variable, even over a wrong one.
    EngineProcess.Launch launch =
        EngineProcess.Launch.in(directory).with(Variable.PORT, "nonsense").withFlags("--port", "0");
    try (EngineProcess engine = launch.start()) {
      assertThat(engine.client().get("/health").path("status").textValue()).isEqualTo("ok");

      EngineProcess.End end = engine.terminate();

      assertThat(end.status()).isZero();
      assertThat(end.out()).hasSize(1);
      assertThat(end.out().getFirst())
          .matches("Agent Engine \\S+ is ready: http://127\\.0\\.0\\.1:\\d+/");
      assertThat(end.err()).isEmpty();
    }
  }

  @Test
  void a_stream_under_way_may_go_on_to_its_end() {
    try (Simulator simulator = Simulator.start(0);
        EngineProcess engine =
            EngineProcess.Launch.in(directory)
                .withConfiguration(Fixture.configuration(simulator))
                .with(Variable.SHUTDOWN_GRACE, "1m")
                .start()) {
      EngineClient.Events stream =
          engine.client().chat("help", "[[chunk Good]] [[delay 1s]] [[chunk bye]]");
      stream.through("message_delta");

      EngineProcess.End end = engine.terminate();

      List<ServerEvent> rest = stream.rest();
      assertThat(rest)
          .extracting(ServerEvent::name)
          .containsExactly("message_delta", "message", "done");
      assertThat(rest.get(1).data().path("content").textValue()).isEqualTo("Goodbye");
      assertThat(end.status()).isZero();
      assertThat(end.err()).isEmpty();
    }
  }

  @Test
  void a_stream_that_does_not_end_is_cut_when_the_grace_is_over() {
    try (Simulator simulator = Simulator.start(0);
        EngineProcess engine =
            EngineProcess.Launch.in(directory)
                .withConfiguration(Fixture.configuration(simulator))
                .with(Variable.SHUTDOWN_GRACE, "300ms")
                .start()) {
      EngineClient.Events stream = engine.client().chat("help", "[[chunk For]] [[stall]]");
      stream.through("message_delta");

      EngineProcess.End end = engine.terminate();

      assertThat(end.status()).isZero();
      assertThat(end.err()).isEmpty();
    }
  }
}
