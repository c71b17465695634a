package agentengine.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * An engine written by hand, for what a real one does only on a bad day: for each route a queue of
 * answers, each a piece of code that writes bytes; when it returns, the connection is closed.
 */
final class ScriptedServer implements AutoCloseable {
  /** A request as it came. */
  record Request(String route, String head, String body) {
    /** The value of a header, or "" without it. */
    String header(String name) {
      return head.lines()
          .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
          .map(line -> line.substring(name.length() + 1).strip())
          .findFirst()
          .orElse("");
    }
  }

  /** Answers one request. */
  @FunctionalInterface
  interface Answer {
    void write(OutputStream out) throws IOException, InterruptedException;
  }

  static final String SESSION = "s-1";

  private final ServerSocket socket;
  private final Map<String, Queue<Answer>> answers = new ConcurrentHashMap<>();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  private ScriptedServer(ServerSocket socket) {
    this.socket = socket;
  }

  static ScriptedServer start() throws IOException {
    ScriptedServer server =
        new ScriptedServer(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()));
    server.on("POST /auth/local-session", json(200, "{\"access_token\":\"one\"}"));
    Thread.ofVirtual().start(server::accept);
    return server;
  }

  /** The next answer on a route; the last one of a route is given again and again. */
  ScriptedServer on(String route, Answer answer) {
    answers.computeIfAbsent(route, _ -> new ArrayDeque<>()).add(answer);
    return this;
  }

  Map<String, String> environment() {
    return Map.of("ENGINE_PORT", Integer.toString(socket.getLocalPort()));
  }

  List<Request> requests(String route) {
    return requests.stream().filter(request -> request.route().equals(route)).toList();
  }

  static Answer json(int status, String body) {
    return out ->
        write(
            out,
            "HTTP/1.1 "
                + status
                + " Whatever\r\nContent-Type: application/json\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length
                + "\r\nConnection: close\r\n\r\n"
                + body);
  }

  /** A stream with these events, which ends without a word. */
  static Answer events(String... frames) {
    return out -> {
      startEvents(out);
      write(out, String.join("", frames));
    };
  }

  static void startEvents(OutputStream out) throws IOException {
    write(
        out,
        "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nX-Session-Id: "
            + SESSION
            + "\r\nConnection: close\r\n\r\n");
  }

  static String frame(String event, String data, String id) {
    return "event: " + event + "\ndata: " + data + "\nid: " + id + "\n\n";
  }

  static String delta(String text, String id) {
    return frame("message_delta", "{\"content\":\"" + text + "\"}", id);
  }

  static String message(String text, String id) {
    return frame("message", "{\"content\":\"" + text + "\",\"role\":\"assistant\"}", id);
  }

  static String done(String id) {
    return frame("done", "{\"session_id\":\"" + SESSION + "\",\"tokens\":1}", id);
  }

  static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private void accept() {
    try {
      while (true) {
        Socket connection = socket.accept();
        Thread.ofVirtual().start(() -> serve(connection));
      }
    } catch (IOException _) {
      // The test is over.
    }
  }

  private void serve(Socket connection) {
    try (connection) {
      Request request = read(connection.getInputStream());
      requests.add(request);
      next(request.route()).write(connection.getOutputStream());
    } catch (IOException _) {
      // The client went away.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private Answer next(String route) {
    Queue<Answer> queue = answers.get(route);
    if (queue == null) {
      return json(404, "{\"error\":\"not_found\",\"message\":\"no script for " + route + "\"}");
    }
    synchronized (queue) {
      return queue.size() > 1 ? queue.remove() : queue.element();
    }
  }

  private static Request read(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
      int b = in.read();
      if (b < 0) {
        throw new IOException("no request");
      }
      head.write(b);
    }
    String text = head.toString(StandardCharsets.UTF_8);
    String[] words = text.split(" ", 3);
    Request bare = new Request(words[0] + " " + words[1].replace("/api/v1", ""), text, "");
    String length = bare.header("Content-Length");
    byte[] body = in.readNBytes(length.isEmpty() ? 0 : Integer.parseInt(length));
    return new Request(bare.route(), text, new String(body, StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
