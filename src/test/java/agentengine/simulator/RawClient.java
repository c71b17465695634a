package agentengine.simulator;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A bare socket, for what a well-behaved HTTP client hides. */
final class RawClient implements AutoCloseable {
  private final Socket socket;
  private final BufferedReader in;

  RawClient(Simulator simulator) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), simulator.port());
    socket.setSoTimeout(30_000); // A broken simulator must fail a test, not hang it.
    in =
        new BufferedReader(
            new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8), 1);
  }

  void post(String body) throws IOException {
    postHead(body.getBytes(StandardCharsets.UTF_8).length);
    socket.getOutputStream().write(body.getBytes(StandardCharsets.UTF_8));
  }

  void postHead(int contentLength) throws IOException {
    String head =
        "POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: "
            + contentLength
            + "\r\n\r\n";
    socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
  }

  /** The next line, or null at the end of the connection. */
  String line() throws IOException {
    return in.readLine();
  }

  String restOfConnection() throws IOException {
    StringBuilder rest = new StringBuilder();
    for (int c = in.read(); c >= 0; c = in.read()) {
      rest.append((char) c);
    }
    return rest.toString();
  }

  boolean hasReceived() throws IOException {
    return socket.getInputStream().available() > 0;
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
