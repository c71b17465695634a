package agentengine.trace;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.EventStream;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.opentelemetry.proto.trace.v1.Span;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a collector is told of what the engine does. */
class TracingTest {
  private final Collector collector = Collector.start();
  private final TracedEngine engine = new TracedEngine(collector.url());

  @AfterEach
  void stop() {
    engine.close();
    collector.close();
  }

  @Test
  void a_turn_its_model_calls_its_tools_and_its_sub_agents_are_one_tree() {
    engine.agent("clerk", Map.of("tools", List.of("current_time")));
    engine.agent("boss", Map.of("tools", List.of("current_time"), "can_spawn", List.of("clerk")));

    JsonNode answer =
        engine.ask(
            "boss",
            "[[tool current_time]] "
                + spawn("clerk", "[[tool current_time]] [[then]] [[say five]]")
                + "[[then]] [[say {{result}}]]");

    assertThat(answer.path("response").textValue()).isEqualTo("five");
    collector.await(9);
    engine.close();
    assertThat(Spans.tree(collector.spans()))
        .isEqualTo(
            """
            invoke_agent boss INTERNAL
              chat scripted CLIENT
              chat scripted CLIENT
              execute_tool current_time INTERNAL
              execute_tool spawn_clerk INTERNAL
                invoke_agent clerk INTERNAL
                  chat scripted CLIENT
                  chat scripted CLIENT
                  execute_tool current_time INTERNAL
            """);
  }

  @Test
  void a_span_says_what_it_is_of_and_what_it_used() {
    engine.agent("clerk", Map.of("tools", List.of("current_time")));

    JsonNode answer =
        engine.ask(
            "clerk",
            "[[tool current_time]] [[usage 100 10]] [[then]] [[say five]] [[usage 200 20]]");

    List<Span> spans = collector.await(4);
    assertThat(Spans.attributes(Spans.named(spans, "invoke_agent clerk")))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "gen_ai.operation.name", "invoke_agent",
                "gen_ai.agent.name", "clerk",
                "gen_ai.conversation.id", answer.path("session_id").textValue(),
                "gen_ai.usage.input_tokens", "300",
                "gen_ai.usage.output_tokens", "30",
                "engine.turn", "1",
                "engine.attempt", "1"));
    assertThat(Spans.all(spans, "chat scripted").stream().map(Spans::attributes))
        .containsExactly(modelCall("100", "10"), modelCall("200", "20"));
    assertThat(Spans.attributes(Spans.named(spans, "execute_tool current_time")))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "gen_ai.operation.name", "execute_tool",
                "gen_ai.tool.name", "current_time",
                "gen_ai.tool.call.id",
                    answer.path("tool_calls").path(0).path("call_id").textValue(),
                "gen_ai.tool.type", "function"));
    assertThat(spans).extracting(Spans::problem).containsOnly("");
  }

  private Map<String, String> modelCall(String input, String output) {
    return Map.of(
        "gen_ai.operation.name", "chat",
        "gen_ai.provider.name", "openai",
        "gen_ai.request.model", "scripted",
        "gen_ai.usage.input_tokens", input,
        "gen_ai.usage.output_tokens", output,
        "server.address", "127.0.0.1",
        "server.port", String.valueOf(engine.simulatorPort()));
  }

  @Test
  void the_collector_is_told_who_sends_and_by_which_conventions_and_given_its_headers() {
    engine.ask("help", "[[say hi]]");

    collector.await(2);
    assertThat(collector.requests())
        .allSatisfy(
            request -> {
              assertThat(request.path()).isEqualTo("/v1/traces");
              assertThat(request.contentType()).isEqualTo("application/x-protobuf");
              assertThat(request.key()).isEqualTo(TracedEngine.COLLECTOR_KEY);
            });
    assertThat(collector.resources())
        .allSatisfy(
            resource -> {
              assertThat(resource.getResource().getAttributesList())
                  .anySatisfy(
                      attribute -> {
                        assertThat(attribute.getKey()).isEqualTo("service.name");
                        assertThat(Spans.text(attribute.getValue())).isEqualTo("traced");
                      });
              assertThat(resource.getScopeSpans(0).getSchemaUrl())
                  .isEqualTo("https://opentelemetry.io/schemas/1.41.0");
            });
  }

  @Test
  void each_try_of_a_model_call_is_a_span_and_those_that_fail_are_errors() {
    engine.ask("help", "[[error 503 times=1 key=trace]] [[say fine]]");

    List<Span> spans = collector.await(3);
    assertThat(Spans.all(spans, "chat scripted"))
        .extracting(Spans::problem)
        .containsExactly("unavailable", "");
    assertThat(Spans.problem(Spans.named(spans, "invoke_agent helper"))).isEmpty();
  }

  @Test
  void a_turn_that_fails_says_so_by_its_code() {
    engine.ask("help", "[[error 401 no]]");

    List<Span> spans = collector.await(2);
    assertThat(Spans.problem(Spans.named(spans, "chat scripted"))).isEqualTo("refused");
    assertThat(Spans.problem(Spans.named(spans, "invoke_agent helper"))).isEqualTo("model_error");
  }

  @Test
  void a_tool_that_fails_is_an_error_and_its_turn_is_none() {
    engine.agent("seeker", Map.of("tools", List.of("lookup")));

    engine.ask("seeker", "[[tool lookup]] [[then]] [[say sorry]]");

    List<Span> spans = collector.await(4);
    assertThat(Spans.problem(Spans.named(spans, "execute_tool lookup"))).isEqualTo("failed");
    assertThat(Spans.problem(Spans.named(spans, "invoke_agent seeker"))).isEmpty();
  }

  @Test
  void a_call_that_a_person_rejects_is_no_span() {
    engine.agent(
        "careful",
        Map.of("tools", List.of("current_time"), "confirm_before", List.of("current_time")));
    EventStream stream =
        engine
            .client()
            .chat("careful", "[[tool current_time]] [[tool current_time]] [[then]] [[say ok]]");
    for (String word : List.of("approve", "reject: no")) {
      ObjectNode body =
          Json.object()
              .put(
                  "call_id",
                  stream
                      .await(event -> event.name().equals("confirmation"))
                      .data()
                      .path("call_id")
                      .textValue());
      body.putArray("answers").add(word);
      engine.client().post("/api/v1/sessions/" + stream.sessionId() + "/respond", body).expect(200);
    }
    stream.readAll();

    collector.await(4);
    engine.close();
    assertThat(Spans.tree(collector.spans()))
        .isEqualTo(
            """
            invoke_agent careful INTERNAL
              chat scripted CLIENT
              chat scripted CLIENT
              execute_tool current_time INTERNAL
            """);
  }

  @Test
  void no_text_and_no_secret_is_in_a_span() {
    engine.agent("clerk", Map.of("tools", List.of("current_time", "lookup")));

    engine.ask(
        "clerk",
        "QUESTION [[think THOUGHT]] [[tool current_time {\"timezone\":\"Asia/Tokyo\"}]]"
            + " [[tool lookup {\"ARGUMENT\":\"x\"}]] [[then]] [[say ANSWER {{results}}]]");
    engine.ask("help", "[[error 401 REASON]]");

    collector.await(7);
    assertThat(collector.requests())
        .allSatisfy(
            request ->
                assertThat(request.body().toString(StandardCharsets.ISO_8859_1))
                    .doesNotContain("QUESTION", "THOUGHT", "Tokyo", "ARGUMENT", "ANSWER", "REASON")
                    .doesNotContain("You help", "key-of-the-model", TracedEngine.COLLECTOR_KEY));
  }

  @Test
  void a_clients_trace_goes_on_in_the_turn() {
    engine.ask(
        "help",
        "[[say hi]]",
        Map.of("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"));

    Span turn = Spans.named(collector.await(2), "invoke_agent helper");
    assertThat(hex(turn.getTraceId().toByteArray())).isEqualTo("0af7651916cd43dd8448eb211c80319c");
    assertThat(hex(turn.getParentSpanId().toByteArray())).isEqualTo("b7ad6b7169203331");
    assertThat(Spans.tree(collector.spans()))
        .isEqualTo("invoke_agent helper INTERNAL\n  chat scripted CLIENT\n");
  }

  @Test
  void a_header_that_names_no_trace_does_not_count() {
    for (String header : List.of("00-0af7-b7ad-01", "garbage", "00-" + "0".repeat(32) + "-x-01")) {
      engine.ask("help", "[[say hi]]", Map.of("traceparent", header));
    }

    assertThat(Spans.all(collector.await(6), "invoke_agent helper"))
        .hasSize(3)
        .allSatisfy(turn -> assertThat(turn.getParentSpanId().isEmpty()).isTrue());
  }

  @Test
  void the_turn_of_a_task_names_it() {
    ObjectNode task = Json.object().put("agent", "helper").put("title", "[[say done]]");
    String id = engine.client().post("/api/v1/tasks", task).expect(201).path("id").textValue();

    assertThat(Spans.attributes(Spans.named(collector.await(2), "invoke_agent helper")))
        .containsEntry("engine.task.id", id);
  }

  @Test
  void a_turn_taken_up_after_a_restart_is_a_trace_of_its_own() {
    EventStream stream =
        engine.client().chat("help", "[[say a]] [[stall times=1 key=up]] [[say b]]");
    stream.await(event -> event.name().equals("message_delta"));
    engine.restart();

    List<Span> turns = Spans.all(collector.await(4), "invoke_agent helper");
    assertThat(turns).extracting(Spans::problem).containsExactly("interrupted", "");
    assertThat(turns)
        .extracting(turn -> Spans.attributes(turn).get("engine.attempt"))
        .containsExactly("1", "2");
    assertThat(turns.getFirst().getTraceId()).isNotEqualTo(turns.getLast().getTraceId());
    assertThat(turns)
        .extracting(turn -> Spans.attributes(turn).get("gen_ai.conversation.id"))
        .containsOnly(stream.sessionId());
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static String spawn(String agent, String task) {
    return "[[tool spawn_" + agent + " " + Json.write(Json.object().put("task", task)) + "]] ";
  }
}
