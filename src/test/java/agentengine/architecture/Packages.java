package agentengine.architecture;

import java.util.List;
import java.util.stream.Stream;

/** The packages of the program in their order. */
final class Packages {
  /** Each may use those before it; the root, where everything is put together, comes last. */
  static final List<String> ORDER =
      List.of(
          "error",
          "json",
          "time",
          "log",
          "metric",
          "trace",
          "db",
          "secret",
          "audit",
          "auth",
          "limit",
          "model",
          "session",
          "tool",
          "mcp",
          "knowledge",
          "agent",
          "turn",
          "task",
          "config",
          "simulator",
          "http",
          "cli");

  private Packages() {}

  /** Patterns for the root and all packages under it. */
  static String[] all(String root) {
    return Stream.concat(Stream.of(root), Stream.of(of(root, ORDER.toArray(String[]::new))))
        .toArray(String[]::new);
  }

  /** Patterns for some packages. */
  static String[] of(String root, String... names) {
    return Stream.of(names).map(name -> root + "." + name + "..").toArray(String[]::new);
  }
}
