package agentengine.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What only a process of its own shows: its streams as they are, and what it set up at its start.
 */
class ProcessTest {
  @TempDir Path directory;

  @Test
  void nothing_but_the_commands_own_words_is_printed() throws Exception {
    CommandRun run =
        run(ClosedPort.environment(), "token", "create", "--name", "x", "--scopes", "chat");

    assertThat(run.status()).isZero();
    assertThat(run.out()).matches("ae_[0-9A-Za-z]{36}\n");
    assertThat(run.err().lines())
        .satisfiesExactly(
            how -> assertThat(how).startsWith("directly in the store in "),
            what -> assertThat(what).startsWith("made token "));
  }

  @Test
  void a_message_whose_connection_breaks_before_the_answer_is_not_sent_again() throws Exception {
    String chat = "POST /schemas/help/chat";
    try (ScriptedServer server = ScriptedServer.start()) {
      server.on(chat, _ -> {});

      CommandRun run = run(server.environment(), "chat", "help", "--message", "Hi");

      assertThat(run.status()).isEqualTo(1);
      assertThat(run.err()).startsWith("engine: the connection to ").hasLineCount(1);
      assertThat(server.requests(chat)).hasSize(1);
    }
  }

  private CommandRun run(Map<String, String> environment, String... arguments)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add("agentengine.Main");
    command.addAll(List.of(arguments));
    File out = directory.resolve("out.txt").toFile();
    File err = directory.resolve("err.txt").toFile();
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectOutput(out)
            .redirectError(err);
    builder.environment().keySet().removeIf(name -> name.startsWith("ENGINE_"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    process.getOutputStream().close();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("the command did not end");
    }
    return new CommandRun(
        process.exitValue(), Files.readString(out.toPath()), Files.readString(err.toPath()));
  }
}
