package agentengine.cli;

import java.io.IOException;

/** Nothing takes connections at the engine's address. */
final class NoEngine extends IOException {
  NoEngine(String url, IOException cause) {
    super("no engine answers at " + url + "; start one with ./engine start", cause);
  }
}
