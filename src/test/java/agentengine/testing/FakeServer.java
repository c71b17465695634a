package agentengine.testing;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;

/** A server that answers with exactly the bytes it is told, one connection a request. */
public final class FakeServer implements AutoCloseable {
  /** A request as it arrived. */
  public record Request(String head, String body) {}

  /** Writes an answer; the connection is closed when it returns. */
  public interface Script {
    void answer(Request request, OutputStream out) throws IOException;
  }

  private final ServerSocket socket;
  private final Script script;
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  private FakeServer(ServerSocket socket, Script script) {
    this.socket = socket;
    this.script = script;
  }

  public static FakeServer start(Script script) {
    try {
      FakeServer server =
          new FakeServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), script);
      Thread.ofVirtual().start(server::accept);
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A server whose every answer is this text with this content type. */
  public static FakeServer saying(String contentType, String body) {
    return start((_, out) -> write(out, ok(contentType) + body));
  }

  /** The head of a good answer whose end is the end of the connection. */
  public static String ok(String contentType) {
    return "HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nConnection: close\r\n\r\n";
  }

  /** The same for an answer that promises more bytes than will ever come. */
  public static String cutShort(String contentType) {
    return "HTTP/1.1 200 OK\r\nContent-Type: " + contentType + "\r\nContent-Length: 100000\r\n\r\n";
  }

  public static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  public String url() {
    return "http://127.0.0.1:" + socket.getLocalPort();
  }

  public List<Request> requests() {
    return requests;
  }

  private void accept() {
    while (!socket.isClosed()) {
      try {
        Socket connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      } catch (IOException _) {
        return;
      }
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      Request request = read(connection.getInputStream());
      requests.add(request);
      script.answer(request, connection.getOutputStream());
    } catch (IOException _) {
      // The client left, as some are meant to.
    }
  }

  private static Request read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.ISO_8859_1).endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("half a request");
      }
      head.write(next);
    }
    String text = head.toString(StandardCharsets.ISO_8859_1);
    int length =
        text.lines()
            .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("content-length:"))
            .mapToInt(line -> Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
            .findFirst()
            .orElse(0);
    return new Request(text, new String(in.readNBytes(length), StandardCharsets.UTF_8));
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
