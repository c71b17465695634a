package agentengine.config;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.TextNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The small document that a newcomer finds: an agent on a local Ollama, or on the simulator. */
public final class FirstConfiguration {
  private static final String OLLAMA = "http://localhost:11434";
  private static final int PROBE_MILLIS = 300;
  private static final int MAX_PROBE_BYTES = 1024 * 1024;

  private FirstConfiguration() {}

  /** Writes the document where none is. */
  public static void write(Path file) throws IOException {
    Path parent = file.toAbsolutePath().getParent();
    if (parent != null) {
      Files.createDirectories(parent);
    }
    Files.writeString(
        file,
        ollamaModel()
            .map(FirstConfiguration::onOllama)
            .orElseGet(() -> resource("first-simulator.yaml")));
  }

  private static String onOllama(String model) {
    return resource("first-ollama.yaml")
        .replace("OLLAMA_URL", OLLAMA)
        .replace("MODEL_NAME", Json.write(TextNode.valueOf(model)));
  }

  private static String resource(String name) {
    try (InputStream in = FirstConfiguration.class.getResourceAsStream("/config/" + name)) {
      if (in == null) {
        throw new IllegalStateException("the program lacks its file " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first model of an Ollama on this machine, if one answers at once. */
  private static Optional<String> ollamaModel() {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) URI.create(OLLAMA + "/api/tags").toURL().openConnection();
      connection.setConnectTimeout(PROBE_MILLIS);
      connection.setReadTimeout(PROBE_MILLIS);
      try (InputStream in = connection.getInputStream()) {
        String answer = new String(in.readNBytes(MAX_PROBE_BYTES), StandardCharsets.UTF_8);
        return Optional.ofNullable(
            Json.parse(answer).path("models").path(0).path("name").textValue());
      } finally {
        connection.disconnect();
      }
    } catch (IOException | UncheckedIOException _) {
      return Optional.empty();
    }
  }
}
