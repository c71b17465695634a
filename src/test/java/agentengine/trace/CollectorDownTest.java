package agentengine.trace;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.process.Eventually;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Somebody wants spans and does not take them: that is no reason not to work. */
class CollectorDownTest {
  private final Logger root = Logger.getLogger("");
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          String name = line.getLoggerName();
          if (name.startsWith("agentengine.trace") || name.startsWith("io.opentelemetry")) {
            lines.add(line.getMessage());
          }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    root.addHandler(handler);
  }

  @AfterEach
  void leave() {
    root.removeHandler(handler);
  }

  @Test
  void turns_complete_and_the_log_says_it_once() throws IOException {
    String nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = "127.0.0.1:" + socket.getLocalPort();
    }
    try (TracedEngine engine = new TracedEngine("http://" + nobody)) {
      for (int i = 0; i < 3; i++) {
        assertThat(engine.ask("help", "[[say hi]]").path("response").textValue()).isEqualTo("hi");
      }
      Eventually.until("the log says it", () -> !lines.isEmpty());
      assertThat(engine.ask("help", "[[say hi]]").path("response").textValue()).isEqualTo("hi");
    }

    assertThat(lines).hasSize(1);
    assertThat(lines.getFirst())
        .contains(nobody)
        .doesNotContain(TracedEngine.COLLECTOR_KEY)
        .doesNotContain("\n");
  }
}
