package agentengine.log;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** Writes a log record as one line, whatever its message holds. */
final class LineFormatter extends Formatter {
  private static final int MAX_TRACE = 8_000;

  private final Logs.Format format;

  LineFormatter(Logs.Format format) {
    this.format = format;
  }

  @Override
  public String format(LogRecord entry) {
    return switch (format) {
      case TEXT -> text(entry);
      case JSON -> json(entry);
    };
  }

  private String text(LogRecord entry) {
    String trace = trace(entry);
    return String.join(
            " ",
            time(entry.getInstant()),
            entry.getLevel().getName(),
            shortName(entry),
            LogContext.id(),
            oneLine(formatMessage(entry)))
        + (trace.isEmpty() ? "" : " | " + oneLine(trace))
        + "\n";
  }

  private String json(LogRecord entry) {
    ObjectNode line = Json.object();
    line.put("time", time(entry.getInstant()));
    line.put("level", entry.getLevel().getName());
    line.put("logger", shortName(entry));
    line.put("id", LogContext.id());
    line.put("message", formatMessage(entry));
    String trace = trace(entry);
    if (!trace.isEmpty()) {
      line.put("trace", trace);
    }
    return Json.write(line) + "\n";
  }

  private static String time(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  private static String shortName(LogRecord entry) {
    String name = entry.getLoggerName();
    return name == null ? "-" : name.substring(name.lastIndexOf('.') + 1);
  }

  private static String oneLine(String text) {
    return text.replace("\r", "").replace("\n", " \\n ");
  }

  private static String trace(LogRecord entry) {
    if (entry.getThrown() == null) {
      return "";
    }
    StringWriter text = new StringWriter();
    entry.getThrown().printStackTrace(new PrintWriter(text));
    return text.getBuffer().substring(0, Math.min(MAX_TRACE, text.getBuffer().length())).strip();
  }
}
