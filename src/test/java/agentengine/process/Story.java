package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.process.EngineClient;
import agentengine.testing.process.ServerEvent;
import agentengine.turn.EventId;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** One turn as its client lives through it: what it saw before the kill and, re-attached, after. */
final class Story {
  private final EngineClient.Events stream;
  private final List<ServerEvent> seen = new ArrayList<>();

  Story(EngineClient.Events stream) {
    this.stream = stream;
  }

  String sessionId() {
    return stream.sessionId();
  }

  /** Reads on until an event of this name is there. */
  Story through(String name) {
    seen.addAll(stream.through(name));
    assertThat(seen).extracting(ServerEvent::name).last().isEqualTo(name);
    return this;
  }

  /** The calls that were to be confirmed, in the order in which they were shown. */
  List<String> gates() {
    return seen.stream()
        .filter(event -> event.name().equals("confirmation"))
        .map(event -> event.data().path("call_id").asText())
        .toList();
  }

  /** Reads what the broken connection still holds, then re-attaches behind it to the end. */
  Story finish(EngineClient client) {
    seen.addAll(stream.rest());
    String last = seen.isEmpty() ? "" : seen.getLast().id();
    seen.addAll(client.attach(sessionId(), last).rest());
    List<EventId> ids =
        durable().stream().map(event -> EventId.parse(event.id()).orElseThrow()).toList();
    assertThat(ids).isSorted().doesNotHaveDuplicates();
    JsonNode session = client.session(sessionId());
    assertThat(session.path("status").asText()).isEqualTo("idle");
    assertThat(session.path("pending")).isEmpty();
    assertThat(session.path("messages").findValuesAsText("role")).containsOnlyOnce("user");
    return this;
  }

  List<ServerEvent> durable() {
    return seen.stream().filter(ServerEvent::isDurable).toList();
  }

  /** The names of the durable events, each as often as the client saw it. */
  List<String> names() {
    return durable().stream().map(ServerEvent::name).toList();
  }

  /** What the turn's only message says. */
  String answer() {
    return durable().stream()
        .filter(event -> event.name().equals("message"))
        .map(event -> event.data().path("content").asText())
        .reduce((_, _) -> "more than one message")
        .orElse("no message");
  }

  /** What the client was told of its first tool result: the output, or the error. */
  String result() {
    JsonNode data =
        durable().stream()
            .filter(event -> event.name().equals("tool_result"))
            .findFirst()
            .orElseThrow()
            .data();
    return data.path("error").isNull() ? data.path("output").asText() : data.path("error").asText();
  }
}
