package agentengine.torture;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Random;

/** Finds the port that all engines of a run listen on. */
final class Ports {
  private static final int LOWEST = 20_000;
  private static final int HOW_MANY = 10_000;
  private static final int ATTEMPTS = 100;

  private Ports() {}

  /**
   * A free port below those that systems hand out for connections: while the engine is dead, none
   * of the clients' own connections may happen to take it.
   */
  static int free(Random random) throws IOException {
    IOException last = new IOException("no free port");
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = LOWEST + random.nextInt(HOW_MANY);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }
}
