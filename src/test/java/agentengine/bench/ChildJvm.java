package agentengine.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A JVM of the benchmark's own, fake model or load client, spoken to in lines. */
final class ChildJvm {

  private final String name;
  private final Process process;
  private final BufferedReader answers;
  private final PrintWriter questions;

  private ChildJvm(String name, Process process) {
    this.name = name;
    this.process = process;
    this.answers = process.inputReader(StandardCharsets.UTF_8);
    this.questions = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
  }

  static ChildJvm start(Children children, Class<?> main) throws IOException {
    // The serial collector: one that works beside the program would take CPU from the engine.
    List<String> command =
        List.of(
            javaExecutable(),
            "-XX:+UseSerialGC",
            "-Xmx1g",
            "-cp",
            System.getProperty("java.class.path"),
            main.getName());
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    return new ChildJvm(main.getSimpleName(), children.add(builder.start()));
  }

  static String javaExecutable() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  long pid() {
    return process.pid();
  }

  String ask(String line) throws IOException, BenchFailure {
    questions.println(line);
    return readLine();
  }

  String readLine() throws IOException, BenchFailure {
    String line = answers.readLine();
    if (line == null) {
      throw new BenchFailure(name + " ended unexpectedly");
    }
    return line;
  }
}
