package agentengine.bench;

import agentengine.bench.load.Target;
import agentengine.bench.model.Script;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The few calls that the benchmark itself makes to the engine and the model; not for load. */
final class EngineApi {

  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final HttpClient http =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(2))
          .build();
  private final JsonMapper json = new JsonMapper();

  boolean isHealthy(int port) throws IOException, InterruptedException {
    HttpResponse<String> answer = send(at(port, "/api/v1/health").GET());
    return answer.statusCode() == 200
        && json.readTree(answer.body()).path("status").asText().equals("ok");
  }

  /** A target with a local session's token. */
  Target signIn(int port) throws IOException, InterruptedException, BenchFailure {
    HttpResponse<String> answer =
        send(at(port, "/api/v1/auth/local-session").POST(BodyPublishers.noBody()));
    if (answer.statusCode() != 200) {
      throw new BenchFailure("local-session answered " + brief(answer));
    }
    JsonNode token = json.readTree(answer.body()).path("access_token");
    if (!token.isTextual()) {
      throw new BenchFailure("local-session answered without an access_token");
    }
    return Target.engine(port, token.asText());
  }

  /** One turn, from the question to the end of the answer. */
  void chat(Target target, Script script) throws IOException, InterruptedException, BenchFailure {
    HttpResponse<String> answer =
        send(
            at(target.port(), "/api/v1/schemas/bench/chat")
                .header("Authorization", "Bearer " + target.accessToken())
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"message\":\"" + script.text() + "\"}")));
    boolean hasDelta = answer.body().contains("event: message_delta\n");
    boolean isDone = answer.body().contains("event: done\n");
    if (answer.statusCode() != 200 || !hasDelta || !isDone) {
      throw new BenchFailure("the first chat turn answered " + brief(answer));
    }
  }

  /** How many answers the fake model is in the middle of. */
  int activeAnswers(int modelPort) throws IOException, InterruptedException {
    return Integer.parseInt(send(at(modelPort, "/active").GET()).body());
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder at(int port, String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(TIMEOUT);
  }

  private static String brief(HttpResponse<String> answer) {
    String body = answer.body().replaceAll("\\s+", " ");
    return answer.statusCode() + " " + body.substring(0, Math.min(body.length(), 300));
  }
}
