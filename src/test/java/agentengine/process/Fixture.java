package agentengine.process;

import agentengine.simulator.Simulator;

/** Configuration documents for an engine whose model is a simulator in this JVM. */
final class Fixture {
  static final String MODEL_KEY = "key-of-the-model";

  private Fixture() {}

  /** Model {@code sim}, agent {@code helper}, schema {@code help} with chat on. */
  static String configuration(Simulator simulator) {
    return """
    version: 1
    models:
      sim: {type: openai_compatible, base_url: "%s", model_name: scripted, api_key: %s}
    agents:
      helper: {model: sim, system: You help.}
    schemas:
      help: {entry_agent: helper, chat_enabled: true}
    """
        .formatted(simulator.baseUrl(), MODEL_KEY);
  }
}
