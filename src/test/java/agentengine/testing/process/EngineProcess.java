package agentengine.testing.process;

import agentengine.config.Variable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** {@code agentengine.Main start} in a JVM of its own, with the classes of this one. */
public final class EngineProcess implements AutoCloseable {
  private static final Pattern ADDRESS = Pattern.compile(" http://[^ ]*:(\\d+)/$");
  private static final long PATIENCE_SECONDS = 60;

  /** How a process ended. */
  public record End(int status, List<String> out, List<String> err) {}

  /** What an engine is started with: the directory of all its files, and its variables. */
  public record Launch(
      Path directory,
      Map<Variable, String> variables,
      List<String> jvmOptions,
      List<String> arguments) {
    public static Launch in(Path directory) {
      Map<Variable, String> variables = new EnumMap<>(Variable.class);
      variables.put(Variable.PORT, "0");
      variables.put(Variable.DATA_DIR, directory.resolve("data").toString());
      variables.put(Variable.CONFIG, directory.resolve("engine.yaml").toString());
      return new Launch(directory, variables, List.of(), List.of("start"));
    }

    public Launch with(Variable variable, String value) {
      Map<Variable, String> more = new EnumMap<>(variables);
      more.put(variable, value);
      return new Launch(directory, more, jvmOptions, arguments);
    }

    public Launch withFlags(String... more) {
      List<String> all = new ArrayList<>(arguments);
      all.addAll(List.of(more));
      return new Launch(directory, variables, jvmOptions, all);
    }

    /** Another command than {@code start}, on the same files. */
    public Launch command(String... words) {
      return new Launch(directory, variables, jvmOptions, List.of(words));
    }

    public Launch withJvmOptions(String... options) {
      return new Launch(directory, variables, List.of(options), arguments);
    }

    /** The same with this configuration document. */
    public Launch withConfiguration(String text) {
      try {
        Files.writeString(directory.resolve("engine.yaml"), text);
        return this;
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Starts an engine, and does not wait for anything. */
    public EngineProcess begin() {
      return new EngineProcess(this);
    }

    /** Starts an engine and waits until it is ready. */
    public EngineProcess start() {
      EngineProcess process = begin();
      process.awaitReady();
      return process;
    }

    /** Starts an engine that is expected to end by itself. */
    public End run() {
      try (EngineProcess process = begin()) {
        return process.end();
      }
    }
  }

  private final Path out;
  private final Path err;
  private final Process process;

  private EngineProcess(Launch launch) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(launch.jvmOptions());
    // As the launcher does it, but for a short life.
    command.addAll(
        List.of(
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Xss512k",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            "agentengine.Main"));
    command.addAll(launch.arguments());
    try {
      out = Files.createTempFile(launch.directory(), "out", ".txt");
      err = Files.createTempFile(launch.directory(), "err", ".txt");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .directory(launch.directory().toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().keySet().removeIf(name -> name.matches("(ENGINE|OTEL)_.*"));
      launch
          .variables()
          .forEach(
              (variable, value) -> builder.environment().put(variable.environmentName(), value));
      process = builder.start();
      process.getOutputStream().close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Waits until it says that it is ready. */
  public void awaitReady() {
    Eventually.until(
        "the engine is ready",
        () -> {
          if (!process.isAlive()) {
            throw new AssertionError("the engine ended: " + end());
          }
          return !lines(out).isEmpty();
        });
  }

  /** The port in the line that says that the engine is ready. */
  public int port() {
    Matcher matcher = ADDRESS.matcher(lines(out).getFirst());
    if (!matcher.find()) {
      throw new AssertionError("no address in " + lines(out));
    }
    return Integer.parseInt(matcher.group(1));
  }

  public EngineClient client() {
    return EngineClient.of(port());
  }

  /** Asks it to stop, as a service manager does. */
  public End terminate() {
    process.destroy();
    return end();
  }

  /** Ends it without a chance to do anything more. */
  public End kill() {
    process.destroyForcibly();
    return end();
  }

  /** Waits for the end. */
  public End end() {
    try {
      if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        throw new AssertionError("the engine does not end; it printed " + lines(err));
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
    return new End(process.exitValue(), lines(out), lines(err));
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** The complete lines of what was printed so far. */
  private List<String> lines(Path file) {
    try {
      String text = Files.readString(file);
      return text.substring(0, text.lastIndexOf('\n') + 1).lines().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
