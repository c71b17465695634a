package agentengine.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Reads server-sent events, one at a time; comments, which are heartbeats, are passed over. */
final class SseReader {
  private final BufferedReader lines;

  SseReader(InputStream in) {
    this.lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
  }

  /** The next whole event, or null at the end of the stream. */
  @Nullable SseEvent next() throws IOException {
    String name = "message";
    StringBuilder data = new StringBuilder();
    String id = null;
    String line;
    while ((line = lines.readLine()) != null) {
      if (line.isEmpty()) {
        if (!data.isEmpty()) {
          return new SseEvent(name, data.substring(0, data.length() - 1), id);
        }
        name = "message";
        continue;
      }
      int colon = line.indexOf(':');
      String field = colon < 0 ? line : line.substring(0, colon);
      String value = colon < 0 ? "" : value(line, colon + 1);
      switch (field) {
        case "event" -> name = value;
        case "data" -> data.append(value).append('\n');
        case "id" -> id = value;
        default -> {
          // A comment, or a field of a later version.
        }
      }
    }
    return null;
  }

  private static String value(String line, int start) {
    return line.startsWith(" ", start) ? line.substring(start + 1) : line.substring(start);
  }
}
