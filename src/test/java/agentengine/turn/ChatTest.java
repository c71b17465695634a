package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.EventStream;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class ChatTest {
  private static final Duration SOON = Duration.ofSeconds(20);

  private final TestDatabases.Kind kind;
  private final TestEngine engine;
  private final ApiClient client;
  private final String name = TestEngine.freshName();

  ChatTest(TestDatabases.Kind kind) {
    this.kind = kind;
    engine = TestEngine.shared(kind);
    client = engine.admin();
  }

  @Test
  void the_deltas_of_an_answer_are_its_message_and_done_names_session_and_tokens() {
    EventStream stream = client.chat("help", "[[say Good morning to you]] [[usage 12 5]]");
    List<EventStream.Event> events = stream.readAll();

    String deltas =
        events.stream()
            .filter(event -> event.name().equals("message_delta"))
            .map(EventStream.Event::content)
            .reduce("", String::concat);
    assertThat(deltas).isEqualTo("Good morning to you");
    assertThat(events.get(events.size() - 2).name()).isEqualTo("message");
    assertThat(events.get(events.size() - 2).content()).isEqualTo(deltas);
    assertThat(events.getLast().name()).isEqualTo("done");
    assertThat(events.getLast().data().path("tokens").intValue()).isEqualTo(17);
    assertThat(events.getLast().data().path("session_id").textValue())
        .isEqualTo(stream.sessionId());
  }

  @Test
  void thinking_comes_as_events_of_its_own_and_not_into_the_message() {
    List<EventStream.Event> events =
        client.chat("help", "[[think Let me see]] [[say Yes]]").readAll();

    assertThat(events.getFirst().name()).isEqualTo("thinking");
    assertThat(
            events.stream()
                .filter(event -> event.name().equals("thinking"))
                .map(EventStream.Event::content)
                .reduce("", String::concat))
        .isEqualTo("Let me see");
    assertThat(events.get(events.size() - 2).content()).isEqualTo("Yes");
  }

  @Test
  void without_a_stream_the_answer_is_one_json_body() {
    Answer answer = client.post("/api/v1/schemas/help/chat", message("[[say Hi]] [[usage 3 4]]"));

    JsonNode body = answer.expect(200);
    assertThat(body.path("response").textValue()).isEqualTo("Hi");
    assertThat(body.path("tokens").intValue()).isEqualTo(7);
    assertThat(body.path("tool_calls").isEmpty()).isTrue();
    assertThat(body.path("session_id").textValue()).isEqualTo(answer.header("X-Session-Id"));
  }

  @Test
  void tokens_are_estimated_when_the_provider_gives_none() {
    JsonNode body =
        client
            .post("/api/v1/schemas/help/chat", message("[[say Some words]] [[usage none]]"))
            .expect(200);

    assertThat(body.path("tokens").intValue()).isPositive();
  }

  @Test
  void a_continued_session_shows_the_model_the_whole_conversation() {
    EventStream first = client.chat("help", "[[say One]]");
    first.readAll();
    List<EventStream.Event> second =
        client.chat("help", "[[say {{history}}]]", first.sessionId()).readAll();

    assertThat(second.get(second.size() - 2).content())
        .contains("system")
        .contains("user")
        .contains("assistant");
    JsonNode session = client.get("/api/v1/sessions/" + first.sessionId()).expect(200);
    assertThat(session.path("status").textValue()).isEqualTo("idle");
    assertThat(session.path("message_count").intValue()).isEqualTo(4);
    assertThat(session.path("messages").findValuesAsText("role"))
        .containsExactly("user", "assistant", "user", "assistant");
  }

  @Test
  void a_conversation_is_trimmed_to_the_context_of_its_agent() {
    newSchema(Json.object().put("max_context_size", 1000));
    String filler = "filler ".repeat(200);
    EventStream stream = client.chat(name, "first " + filler);
    stream.readAll();
    for (int turn = 0; turn < 4; turn++) {
      client.chat(name, "next " + filler, stream.sessionId()).readAll();
    }

    var last =
        engine
            .simulator()
            .awaitRequest(request -> request.body().toString().contains("next"), SOON)
            .body();
    assertThat(last.toString().length()).isLessThan(10_000);
    List<String> bodies =
        engine.simulator().requests().stream()
            .map(request -> request.body().toString())
            .filter(body -> body.contains("next " + filler))
            .toList();
    assertThat(bodies.getLast()).doesNotContain("first filler");
  }

  @Test
  void a_message_that_fits_into_no_context_is_an_error_of_its_own() {
    newSchema(Json.object().put("max_context_size", 1000));

    Answer answer = client.post("/api/v1/schemas/" + name + "/chat", message("x".repeat(10_000)));

    assertThat(answer.error(422)).isEqualTo("context_overflow");
  }

  @Test
  void a_session_with_a_running_turn_takes_no_second_message() {
    EventStream stream = client.chat("help", "[[say Wait]] [[stall]]");
    stream.await("message_delta");
    var body = message("And this?").put("session_id", stream.sessionId());

    assertThat(client.post("/api/v1/schemas/help/chat", body).error(409)).isEqualTo("session_busy");
    assertThat(client.delete("/api/v1/sessions/" + stream.sessionId()).error(409))
        .isEqualTo("session_busy");
    client.post("/api/v1/sessions/" + stream.sessionId() + "/cancel", null).expect(200);
  }

  @Test
  void a_cancelled_turn_ends_with_an_error_and_lets_go_of_the_provider() {
    EventStream stream = client.chat("help", "[[say cancel-me]] [[stall]]");
    stream.await("message_delta");

    JsonNode cancelled =
        client.post("/api/v1/sessions/" + stream.sessionId() + "/cancel", null).expect(200);

    assertThat(cancelled.path("status").textValue()).isEqualTo("cancelled");
    List<EventStream.Event> rest = stream.readAll();
    assertThat(rest.getLast().name()).isEqualTo("error");
    assertThat(rest.getLast().data().path("code").textValue()).isEqualTo("cancelled");
    engine
        .simulator()
        .awaitDisconnect(request -> request.body().toString().contains("cancel-me"), SOON);
    assertThat(client.post("/api/v1/sessions/" + stream.sessionId() + "/cancel", null).error(409))
        .isEqualTo("conflict");
    // The session can go on, and its history is one that a provider takes.
    assertThat(client.chat("help", "[[say Again]]", stream.sessionId()).await("message").content())
        .isEqualTo("Again");
  }

  @Test
  void a_turn_goes_on_when_its_client_leaves_and_can_be_attached_to_again() {
    EventStream stream = client.chat("help", "[[say One ]] [[delay 700ms]] [[say two]]");
    String sessionId = stream.sessionId();
    EventStream.Event seen = stream.await("message_delta");
    stream.close();

    List<EventStream.Event> rest = client.attach(sessionId, seen.id()).readAll();

    assertThat(rest.stream().map(EventStream.Event::id)).doesNotContain(seen.id());
    assertThat(rest.get(rest.size() - 2).content()).isEqualTo("One two");
    assertThat(rest.getLast().name()).isEqualTo("done");
  }

  @Test
  void a_finished_turn_is_replayed_with_each_durable_event_once() {
    EventStream stream = client.chat("help", "[[say Replay this]]");
    List<EventStream.Event> live = stream.readAll();
    List<EventStream.Event> durable = live.subList(live.size() - 2, live.size());

    assertThat(client.attach(stream.sessionId(), null).readAll()).isEqualTo(durable);
    assertThat(client.attach(stream.sessionId(), "nonsense").readAll()).isEqualTo(durable);
    assertThat(client.attach(stream.sessionId(), "99.1.1").readAll()).isEqualTo(durable);
    assertThat(client.attach(stream.sessionId(), durable.getFirst().id()).readAll())
        .isEqualTo(durable.subList(1, 2));
    assertThat(client.attach(stream.sessionId(), durable.getLast().id()).readAll()).isEmpty();
  }

  @Test
  void two_readers_of_one_turn_see_the_same() {
    EventStream first = client.chat("help", "[[say One ]] [[delay 500ms]] [[say two]]");
    EventStream second = client.attach(first.sessionId(), null);

    assertThat(second.readAll()).isEqualTo(first.readAll());
  }

  @Test
  void an_error_of_the_provider_is_an_error_event_and_a_status() {
    List<EventStream.Event> events =
        client.chat("help", "[[error 400 that model is unknown]]").readAll();
    assertThat(events).hasSize(1);
    assertThat(events.getFirst().data().path("code").textValue()).isEqualTo("model_error");
    assertThat(events.getFirst().data().path("message").textValue())
        .contains("400")
        .contains("that model is unknown");

    Answer answer =
        client.post("/api/v1/schemas/help/chat", message("[[error 401 bad key key-of-the-model]]"));
    assertThat(answer.error(502)).isEqualTo("model_error");
    assertThat(answer.text()).doesNotContain("key-of-the-model").contains("***");
  }

  @Test
  void an_error_in_the_middle_ends_the_turn_and_the_session_can_go_on() {
    EventStream stream = client.chat("help", "[[say Half of]] [[stream-error out of luck]]");
    List<EventStream.Event> events = stream.readAll();

    assertThat(events.getLast().data().path("code").textValue()).isEqualTo("model_error");
    assertThat(events.getLast().data().path("message").textValue()).contains("out of luck");
    assertThat(client.chat("help", "[[say Fine]]", stream.sessionId()).await("message").content())
        .isEqualTo("Fine");
  }

  @Test
  void an_unknown_tool_is_a_result_that_the_model_sees() {
    JsonNode body =
        client
            .post(
                "/api/v1/schemas/help/chat",
                message("[[tool nonsense {\"a\":1}]] [[then]] [[say It said {{result}}]]"))
            .expect(200);

    assertThat(body.path("response").textValue()).contains("nonsense").contains("does not exist");
    JsonNode call = body.path("tool_calls").path(0);
    assertThat(call.path("tool").textValue()).isEqualTo("nonsense");
    assertThat(call.path("status").textValue()).isEqualTo("failed");
    assertThat(call.path("input").path("a").intValue()).isEqualTo(1);
  }

  @Test
  void a_model_that_never_comes_to_an_end_is_stopped_by_max_steps() {
    newSchema(Json.object().put("max_steps", 3));

    Answer answer =
        client.post("/api/v1/schemas/" + name + "/chat", message("[[tool again {}]] [[loop]]"));

    assertThat(answer.error(422)).isEqualTo("max_steps");
  }

  @Test
  void what_cannot_be_continued_says_why() {
    EventStream stream = client.chat("help", "[[say Hi]]");
    stream.readAll();
    client
        .post(
            "/api/v1/schemas",
            Json.object().put("name", name).put("entry_agent", "helper").put("chat_enabled", true))
        .expect(201);

    var body = message("Hello").put("session_id", stream.sessionId());
    assertThat(client.post("/api/v1/schemas/" + name + "/chat", body).error(400))
        .isEqualTo("invalid_request");
    assertThat(
            client
                .post("/api/v1/schemas/help/chat", message("Hi").put("session_id", "nobody"))
                .error(404))
        .isEqualTo("not_found");
    assertThat(client.post("/api/v1/schemas/nowhere/chat", message("Hi")).error(404))
        .isEqualTo("not_found");
    client.put("/api/v1/schemas/" + name, Json.object().put("chat_enabled", false)).expect(200);
    assertThat(client.post("/api/v1/schemas/" + name + "/chat", message("Hi")).error(403))
        .isEqualTo("chat_disabled");
  }

  @Test
  void others_do_not_see_nor_continue_a_session() {
    ApiClient one = client.withScopes("chat");
    ApiClient two = client.withScopes("chat");
    EventStream stream = one.chat("help", "[[say Secret]]");
    stream.readAll();
    String path = "/api/v1/sessions/" + stream.sessionId();

    assertThat(one.get(path).status()).isEqualTo(200);
    assertThat(two.get(path).error(404)).isEqualTo("not_found");
    assertThat(two.get("/api/v1/sessions").expect(200).path("sessions").isEmpty()).isTrue();
    assertThat(two.post(path + "/cancel", null).error(404)).isEqualTo("not_found");
    assertThat(two.get(path + "/stream").error(404)).isEqualTo("not_found");
    assertThat(
            two.post(
                    "/api/v1/schemas/help/chat",
                    message("Hi").put("session_id", stream.sessionId()))
                .error(404))
        .isEqualTo("not_found");
    assertThat(two.delete(path).error(404)).isEqualTo("not_found");
    assertThat(client.get(path).status()).isEqualTo(200);
    assertThat(one.delete(path).status()).isEqualTo(204);
    assertThat(one.get(path).error(404)).isEqualTo("not_found");
  }

  @Test
  void a_turn_that_was_running_when_the_engine_stopped_goes_on_at_the_next_start() {
    try (TestEngine own = TestEngine.start(kind)) {
      EventStream stream =
          own.admin().chat("help", "[[say Start]] [[stall times=1 key=" + name + "]] [[say ed]]");
      String sessionId = stream.sessionId();
      EventStream.Event before = stream.await("message_delta");

      own.restart();
      List<EventStream.Event> after = own.admin().attach(sessionId, before.id()).readAll();

      assertThat(after.get(after.size() - 2).content()).isEqualTo("Started");
      assertThat(after.getLast().name()).isEqualTo("done");
      assertThat(after.getLast().id()).startsWith("1.2.");
      JsonNode session = own.admin().get("/api/v1/sessions/" + sessionId).expect(200);
      assertThat(session.path("messages").findValuesAsText("role"))
          .containsExactly("user", "assistant");
    }
  }

  /** A schema of its own, whose agent has these limits. */
  private void newSchema(ObjectNode limits) {
    client.post("/api/v1/agents", limits.put("name", name).put("model", "sim")).expect(201);
    client
        .post(
            "/api/v1/schemas",
            Json.object().put("name", name).put("entry_agent", name).put("chat_enabled", true))
        .expect(201);
  }

  private static ObjectNode message(String text) {
    return Json.object().put("message", text).put("stream", false);
  }
}
