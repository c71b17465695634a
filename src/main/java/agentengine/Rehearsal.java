package agentengine;

import agentengine.config.BootOptions;
import agentengine.config.Variable;
import agentengine.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Plays what an engine does all day, on an empty store with the simulator as its model. The build
 * runs it once so that the JVM can record which classes and methods matter; every later start then
 * begins warm.
 */
final class Rehearsal {
  private static final int CLIENTS = 8;
  private static final int TURNS_EACH = 500;
  private static final String MESSAGE = "[[say A short answer of some words.]]";
  private static final String TOOL_MESSAGE =
      "[[tool current_time {}]] [[then]] [[say It is late.]]";

  private static final String CONFIGURATION =
      """
      version: 1
      models:
        simulator: {type: openai_compatible, base_url: "simulator:", model_name: simulator}
      agents:
        assistant: {model: simulator, system: You rehearse., tools: [current_time]}
      schemas:
        assistant: {entry_agent: assistant, chat_enabled: true}
      """;

  private Rehearsal() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("agent-engine-rehearsal");
    Path configuration = directory.resolve("engine.yaml");
    Files.writeString(configuration, CONFIGURATION);
    Map<Variable, String> options =
        Map.of(
            Variable.PORT,
            "0",
            Variable.DATA_DIR,
            directory.toString(),
            Variable.CONFIG,
            configuration.toString(),
            Variable.SHUTDOWN_GRACE,
            "0s");
    try (Engine engine = new Engine(BootOptions.read(options), System::getenv)) {
      String origin = "http://127.0.0.1:" + engine.port();
      String token =
          Json.parse(request(origin + "/api/v1/auth/local-session", "", "POST"))
              .path("access_token")
              .asText();
      List<Thread> clients = new ArrayList<>();
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(Thread.ofPlatform().start(() -> chat(origin, token)));
      }
      for (Thread client : clients) {
        client.join();
      }
    } finally {
      delete(directory);
    }
  }

  private static void chat(String origin, String token) {
    String schema = "/api/v1/schemas/assistant/chat";
    try {
      for (int i = 0; i < TURNS_EACH; i++) {
        boolean stream = i % 4 != 0;
        String message = i % 8 == 1 ? TOOL_MESSAGE : MESSAGE;
        String body = Json.write(Json.object().put("message", message).put("stream", stream));
        request(origin + schema, token, "POST", body);
        if (i % 20 == 0) {
          request(origin + "/api/v1/sessions", token, "GET");
          request(origin + "/api/v1/agents", token, "GET");
          request(origin + "/api/v1/health", "", "GET");
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String request(String url, String token, String method, String... body)
      throws IOException {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setRequestMethod(method);
    if (!token.isEmpty()) {
      connection.setRequestProperty("Authorization", "Bearer " + token);
    }
    if (body.length > 0) {
      connection.setDoOutput(true);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.getOutputStream().write(body[0].getBytes(StandardCharsets.UTF_8));
    }
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
