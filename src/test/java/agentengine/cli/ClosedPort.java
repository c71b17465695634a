package agentengine.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Map;

/** A port of this machine where nobody listens. */
final class ClosedPort {
  private ClosedPort() {}

  static Map<String, String> environment() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return Map.of("ENGINE_PORT", Integer.toString(socket.getLocalPort()));
    }
  }
}
