package agentengine.http;

import agentengine.testing.Answer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** One connection on which anything can be sent, also what an HTTP client would refuse to send. */
final class RawHttp implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 20_000;

  private final Socket socket;
  private final InputStream in;

  RawHttp(int port) {
    try {
      socket = new Socket(InetAddress.getLoopbackAddress(), port);
      socket.setSoTimeout(PATIENCE_MILLIS);
      in = new BufferedInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The answer to what is sent on a connection of its own. */
  static Answer send(int port, String... parts) {
    try (RawHttp http = new RawHttp(port)) {
      return http.write(parts).read();
    }
  }

  /** The start of a request: its line, the Host header, these headers and the blank line. */
  static String head(String method, String path, String... headers) {
    List<String> lines = new ArrayList<>();
    lines.add(method + " " + path + " HTTP/1.1");
    lines.add("Host: localhost");
    lines.addAll(List.of(headers));
    return String.join("\r\n", lines) + "\r\n\r\n";
  }

  static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  static String chunk(String data) {
    return Integer.toHexString(data.length()) + "\r\n" + data + "\r\n";
  }

  /** Sends these characters, a byte each. */
  RawHttp write(String... parts) {
    try {
      byte[] bytes = String.join("", parts).getBytes(StandardCharsets.ISO_8859_1);
      socket.getOutputStream().write(bytes);
    } catch (IOException _) {
      // The engine has heard enough and closed; what it said can still be read.
    }
    return this;
  }

  /** Says that nothing more will be sent. */
  RawHttp finishWriting() {
    try {
      socket.shutdownOutput();
      return this;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next answer, with its body. */
  Answer read() {
    Answer head = readHead();
    String length = head.header("Content-Length");
    boolean chunked = "chunked".equalsIgnoreCase(head.header("Transfer-Encoding"));
    try {
      byte[] body = chunked ? readChunks() : readExactly(length == null ? "0" : length);
      return new Answer(head.status(), head.headers(), body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next answer without its body: of a HEAD request, or of a stream that goes on. */
  Answer readHead() {
    try {
      String statusLine = readLine();
      if (!statusLine.startsWith("HTTP/1.1 ")) {
        throw new AssertionError("not the start of an answer: '" + statusLine + "'");
      }
      Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      for (String line = readLine(); !line.isEmpty(); line = readLine()) {
        String[] parts = line.split(": ", 2);
        headers.computeIfAbsent(parts[0], _ -> new ArrayList<>()).add(parts[1]);
      }
      return new Answer(Integer.parseInt(statusLine.split(" ", 3)[1]), headers, new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the engine ends the connection instead of sending anything more. */
  boolean isClosedByEngine() {
    try {
      return in.read() < 0;
    } catch (SocketException _) {
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private byte[] readChunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    for (int size = readChunkSize(); size > 0; size = readChunkSize()) {
      body.write(in.readNBytes(size));
      readLine();
    }
    readLine();
    return body.toByteArray();
  }

  private int readChunkSize() throws IOException {
    return Integer.parseInt(readLine(), 16);
  }

  private byte[] readExactly(String length) throws IOException {
    byte[] body = in.readNBytes(Integer.parseInt(length));
    if (body.length != Integer.parseInt(length)) {
      throw new AssertionError("the answer ends after " + body.length + " of " + length + " bytes");
    }
    return body;
  }

  private String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new AssertionError("the connection ended after '" + line + "'");
      }
      line.write(next);
    }
    return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
