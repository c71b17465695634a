package agentengine.log;

import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.Logger;

/** Sets up logging for the whole process: one line an event on standard error. */
public final class Logs {
  /** How a line is written. */
  public enum Format {
    TEXT,
    JSON
  }

  private Logs() {}

  public static void configure(Format format, Level level) {
    LogManager.getLogManager().reset();
    Handler handler = new ConsoleHandler();
    handler.setLevel(Level.ALL);
    handler.setFormatter(new LineFormatter(format));
    Logger root = Logger.getLogger("");
    root.addHandler(handler);
    root.setLevel(Level.WARNING);
    OWN.setLevel(level);
    // It logs, with a stack trace, that it cannot listen; the engine says so in one line.
    LISTENER.setLevel(Level.OFF);
  }

  /** Held here because the log manager keeps loggers, and so their levels, only weakly. */
  private static final Logger OWN = Logger.getLogger("agentengine");

  private static final Logger LISTENER = Logger.getLogger("io.helidon.webserver.LoomServer");
}
