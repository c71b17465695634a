package agentengine.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import agentengine.json.Json;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What somebody finds who starts the engine for the first time on a machine without Ollama. */
class FirstConfigurationTest {
  @TempDir private Path directory;

  @BeforeEach
  void ollamaIsNotHere() {
    try (Socket probe = new Socket()) {
      probe.connect(new InetSocketAddress("localhost", 11_434), 300);
      assumeFalse(true, "an Ollama listens on this machine");
    } catch (IOException _) {
      // As it should be.
    }
  }

  @AfterAll
  static void close() {
    Definitions.closeAll();
  }

  @Test
  void the_document_is_written_with_its_directory_and_applies_cleanly() throws IOException {
    Path file = directory.resolve("deep/down/engine.yaml");
    FirstConfiguration.write(file);

    Definitions definitions = new Definitions(TestDatabases.Kind.SQLITE);

    assertThat(definitions.apply(Files.readString(file))).isTrue();
    assertThat(definitions.schemas.get("assistant").spec().chatEnabled()).isTrue();
    assertThat(definitions.models.get("simulator").baseUrl()).isEqualTo("simulator:");
  }

  @Test
  void the_first_chat_works_at_once() {
    Path file = directory.resolve("engine.yaml");
    try (TestEngine engine =
        TestEngine.start(
            TestDatabases.Kind.SQLITE, options -> options.put(Variable.CONFIG, file.toString()))) {
      assertThat(file).exists();

      String answer =
          engine
              .admin()
              .post(
                  "/api/v1/schemas/assistant/chat",
                  Json.object().put("message", "Good morning!").put("stream", false))
              .expect(200)
              .path("response")
              .textValue();

      assertThat(answer).contains("simulator").contains("Good morning!");
    }
  }

  @Test
  void somebody_who_has_definitions_already_gets_no_document() throws IOException {
    Path file = directory.resolve("engine.yaml");
    try (TestEngine engine =
        TestEngine.start(
            TestDatabases.Kind.SQLITE, options -> options.put(Variable.CONFIG, file.toString()))) {
      Files.delete(file);
      engine.restart();

      assertThat(engine.admin().get("/api/v1/schemas/assistant").status()).isEqualTo(200);
      assertThat(file).doesNotExist();
    }
  }
}
