package agentengine.testing;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A chat stream read frame by frame; every frame is held against the OpenAPI document. */
public final class EventStream implements AutoCloseable {
  /** One frame; a comment has the name ":" and no data. */
  public record Event(String name, JsonNode data, String id) {
    public String content() {
      return data.path("content").asText();
    }
  }

  private final HttpHeaders headers;
  private final BufferedReader reader;

  EventStream(HttpHeaders headers, InputStream body) {
    this.headers = headers;
    this.reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
  }

  public String sessionId() {
    return header("X-Session-Id");
  }

  public String header(String name) {
    return headers.firstValue(name).orElseThrow(() -> new AssertionError("no header " + name));
  }

  /** The next frame that is not a comment, or null at the end. */
  public @Nullable Event next() {
    try {
      String name = "";
      String data = "";
      String id = "";
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("event: ")) {
          name = line.substring("event: ".length());
        } else if (line.startsWith("data: ")) {
          data = line.substring("data: ".length());
        } else if (line.startsWith("id: ")) {
          id = line.substring("id: ".length());
        } else if (line.isEmpty() && !name.isEmpty()) {
          OpenApiContract.instance().checkEvent(name, data);
          return new Event(name, Json.parse(data), id);
        }
      }
      return null;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads on until an event fits; the end of the stream is a failure. */
  public Event await(Predicate<Event> wanted) {
    for (Event event = next(); event != null; event = next()) {
      if (wanted.test(event)) {
        return event;
      }
    }
    throw new AssertionError("the stream ended without the event that was waited for");
  }

  public Event await(String name) {
    return await(event -> event.name().equals(name));
  }

  /** All that is left. */
  public List<Event> readAll() {
    List<Event> events = new ArrayList<>();
    for (Event event = next(); event != null; event = next()) {
      events.add(event);
    }
    return events;
  }

  /** Goes away, as a client does that closes its window. */
  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
