package agentengine.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a command has around it: streams, environment, clock.
 *
 * @param interactive whether a person reads the output and writes the input
 */
public record Shell(
    InputStream in,
    PrintStream out,
    PrintStream err,
    Map<String, String> environment,
    boolean interactive,
    InstantSource clock) {

  /** The shell of this process; text is UTF-8 whatever the locale says, as it is in the API. */
  public static Shell ofProcess() {
    return new Shell(
        System.in,
        utf8(FileDescriptor.out),
        utf8(FileDescriptor.err),
        System.getenv(),
        // Some JDKs give no console at all when it would not be a terminal.
        Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false),
        InstantSource.system());
  }

  private static PrintStream utf8(FileDescriptor descriptor) {
    return new PrintStream(new FileOutputStream(descriptor), true, StandardCharsets.UTF_8);
  }

  /** A variable of the environment; an empty one is as good as none. */
  @Nullable String variable(String name) {
    String value = environment.get(name);
    return value == null || value.isBlank() ? null : value.strip();
  }
}
