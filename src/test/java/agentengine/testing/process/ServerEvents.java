package agentengine.testing.process;

import agentengine.json.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads a chat stream frame by frame as it comes; a frame that breaks off is none. */
public final class ServerEvents {
  private final BufferedReader lines;

  ServerEvents(InputStream body) {
    this.lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  /** The next frame that is not a comment, or null at the end. */
  public @Nullable ServerEvent next() throws IOException {
    String name = "";
    String data = "";
    String id = "";
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      if (line.startsWith("event: ")) {
        name = line.substring("event: ".length());
      } else if (line.startsWith("data: ")) {
        data = line.substring("data: ".length());
      } else if (line.startsWith("id: ")) {
        id = line.substring("id: ".length());
      } else if (line.isEmpty() && !name.isEmpty()) {
        return new ServerEvent(name, Json.parse(data), id);
      }
    }
    return null;
  }

  /** The durable events up to the turn's end; it is a failure when the stream ends before. */
  public List<ServerEvent> durableToTheEnd() throws IOException {
    List<ServerEvent> read = new ArrayList<>();
    for (ServerEvent event = next(); event != null; event = next()) {
      if (event.isDurable()) {
        read.add(event);
      }
      if (event.isEnd()) {
        return read;
      }
    }
    throw new IOException("the stream ended before the turn");
  }
}
