package agentengine;

import agentengine.model.ModelSpec;
import agentengine.simulator.Simulator;
import org.jspecify.annotations.Nullable;

/** The simulator, started when the first model that is served by it is called. */
final class LazySimulator implements AutoCloseable {
  private @Nullable Simulator simulator;

  /** Where a model's base URL really leads. */
  synchronized String resolve(String baseUrl) {
    if (!baseUrl.startsWith(ModelSpec.SIMULATOR)) {
      return baseUrl;
    }
    if (simulator == null) {
      simulator = Simulator.start(0);
    }
    return simulator.baseUrl();
  }

  @Override
  public synchronized void close() {
    if (simulator != null) {
      simulator.close();
    }
  }
}
