package agentengine.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.bench.model.FakeModel;
import agentengine.bench.model.Script;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;

class LoadRunTest {

  @Test
  void turnsOneByOneAreAllRecorded() throws IOException {
    try (FakeModel model = FakeModel.start()) {
      Scenario scenario =
          Scenario.oneByOne(Target.direct(model.port()), new Script(40, 0), 5, false, 10_000);
      Result result = new LoadRun(scenario).run();
      assertThat(result.firstFailure()).isNull();
      assertThat(result.turns()).isEqualTo(5);
      assertThat(result.tokens()).isEqualTo(200);
      assertThat(result.turnMillis()).hasSize(5);
      assertThat(result.unfinished()).isZero();
    }
  }

  @Test
  void pacedStreamsTakeTheirTimeAndEndComplete() throws IOException {
    try (FakeModel model = FakeModel.start()) {
      Scenario scenario = Scenario.paced(Target.direct(model.port()), 100, 20, 100, 0, 300);
      Result result = new LoadRun(scenario).run();
      assertThat(result.firstFailure()).isNull();
      assertThat(result.open()).as("streams open at the end of the window").isEqualTo(20);
      assertThat(result.unfinished()).isZero();
    }
  }

  @Test
  void aRefusedConnectionIsAFailedTurn() throws IOException {
    // Bound but not listening: it refuses, and nobody else can be given the port meanwhile.
    try (Socket bound = new Socket()) {
      bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      Target nobody = Target.direct(bound.getLocalPort());
      Scenario scenario = Scenario.oneByOne(nobody, new Script(1, 0), 3, false, 10_000);
      Result result = new LoadRun(scenario).run();
      assertThat(result.failed()).isEqualTo(1);
      assertThat(result.firstFailure()).contains("refused");
    }
  }
}
