package agentengine.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.stream.Collectors;

/** Talks to a simulator as any client of OpenAI's API would. */
final class ChatClient implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Simulator simulator;

  ChatClient(Simulator simulator) {
    this.simulator = simulator;
  }

  /** A complete answer. */
  record Reply(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    JsonNode json() {
      return parse(response.body());
    }

    /** The data lines but the last, which must be {@code [DONE]}. */
    List<JsonNode> chunks() {
      List<String> data = data();
      if (!data.getLast().equals("[DONE]")) {
        throw new AssertionError("The stream does not end with [DONE]: " + data);
      }
      return data.subList(0, data.size() - 1).stream().map(ChatClient::parse).toList();
    }

    List<String> data() {
      return response
          .body()
          .lines()
          .filter(line -> line.startsWith("data: "))
          .map(line -> line.substring("data: ".length()))
          .toList();
    }

    List<JsonNode> deltas() {
      return chunks().stream().map(chunk -> chunk.at("/choices/0/delta")).toList();
    }

    List<String> pieces(String field) {
      return deltas().stream()
          .map(delta -> delta.path(field).asText(""))
          .filter(piece -> !piece.isEmpty())
          .toList();
    }

    String text() {
      return String.join("", pieces("content"));
    }

    String finishReasons() {
      return chunks().stream()
          .map(chunk -> chunk.at("/choices/0/finish_reason").asText(""))
          .filter(reason -> !reason.isEmpty() && !reason.equals("null"))
          .collect(Collectors.joining(","));
    }

    JsonNode usage() {
      return chunks().getLast().path("usage");
    }
  }

  static ObjectNode streamed(String... rolesAndTexts) {
    ObjectNode body = JSON.createObjectNode().put("model", "any").put("stream", true);
    body.putObject("stream_options").put("include_usage", true);
    ArrayNode messages = body.putArray("messages");
    for (int i = 0; i < rolesAndTexts.length; i += 2) {
      messages.addObject().put("role", rolesAndTexts[i]).put("content", rolesAndTexts[i + 1]);
    }
    return body;
  }

  static ObjectNode whole(String... rolesAndTexts) {
    ObjectNode body = streamed(rolesAndTexts).put("stream", false);
    body.remove("stream_options");
    return body;
  }

  Reply ask(String userMessage) {
    return send(streamed("user", userMessage));
  }

  Reply askWhole(String userMessage) {
    return send(whole("user", userMessage));
  }

  Reply send(ObjectNode body) {
    return sendText(body.toString());
  }

  Reply sendText(String body) {
    return exchange(() -> new Reply(http.send(request(body), BodyHandlers.ofString())));
  }

  /** An answer that is still coming. */
  InputStream open(String userMessage) {
    String body = streamed("user", userMessage).toString();
    return exchange(() -> http.send(request(body), BodyHandlers.ofInputStream()).body());
  }

  Reply get(String path) {
    URI uri = URI.create("http://127.0.0.1:" + simulator.port() + path);
    HttpRequest request = HttpRequest.newBuilder(uri).build();
    return exchange(() -> new Reply(http.send(request, BodyHandlers.ofString())));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }

  static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new AssertionError("Not JSON: " + json, e);
    }
  }

  private HttpRequest request(String body) {
    return HttpRequest.newBuilder(URI.create(simulator.baseUrl() + "/chat/completions"))
        .header("Content-Type", "application/json")
        .header("Authorization", "Bearer secret-of-the-test")
        .POST(HttpRequest.BodyPublishers.ofString(body))
        .build();
  }

  /** The connection broke before the answer was complete. */
  static final class Broken extends RuntimeException {
    private Broken(IOException cause) {
      super(cause);
    }
  }

  private interface Exchange<T> {
    T run() throws IOException, InterruptedException;
  }

  private static <T> T exchange(Exchange<T> exchange) {
    try {
      return exchange.run();
    } catch (IOException e) {
      throw new Broken(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
