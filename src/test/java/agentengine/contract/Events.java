package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A stream of server-sent events, read line by line. */
final class Events implements AutoCloseable {
  /** One frame, with its lines as they came. */
  record Event(String name, JsonNode data, String id, List<String> lines) {}

  private final HttpHeaders headers;
  private final BufferedReader reader;

  Events(int status, HttpHeaders headers, InputStream body) {
    this.headers = headers;
    this.reader = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
    assertThat(status).isEqualTo(200);
    assertThat(header("Content-Type")).startsWith("text/event-stream");
  }

  String header(String name) {
    return headers.firstValue(name).orElse("");
  }

  /** The id that a client has before the first event. */
  String sessionId() {
    return header("X-Session-Id");
  }

  Event await(String name) {
    for (Event event = next(); event != null; event = next()) {
      if (event.name().equals(name)) {
        return event;
      }
    }
    throw new AssertionError("the stream ended without " + name);
  }

  /** All events to the end of the stream. */
  List<Event> all() {
    List<Event> events = new ArrayList<>();
    for (Event event = next(); event != null; event = next()) {
      events.add(event);
    }
    return events;
  }

  private @Nullable Event next() {
    List<String> lines = new ArrayList<>();
    try {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (!line.isEmpty()) {
          lines.add(line);
        } else if (!lines.isEmpty() && !lines.getFirst().startsWith(":")) {
          return new Event(
              value(lines, "event"), Json.parse(value(lines, "data")), value(lines, "id"), lines);
        } else {
          lines.clear();
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(lines).as("a frame that was not finished").isEmpty();
    return null;
  }

  private static String value(List<String> lines, String field) {
    return lines.stream()
        .filter(line -> line.startsWith(field + ":"))
        .map(line -> line.substring(field.length() + 1).strip())
        .collect(Collectors.joining("\n"));
  }

  static List<String> names(List<Event> events) {
    return events.stream().map(Event::name).toList();
  }

  /** The data of the only event of that name. */
  static JsonNode data(List<Event> events, String name) {
    List<Event> found = events.stream().filter(event -> event.name().equals(name)).toList();
    assertThat(found).as("%s in %s", name, names(events)).hasSize(1);
    return found.getFirst().data();
  }

  @Override
  public void close() {
    try {
      reader.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
