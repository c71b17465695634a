package agentengine.simulator;

import static agentengine.simulator.ChatClient.streamed;
import static agentengine.simulator.ChatClient.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SimulatorTest {
  private static Simulator simulator;
  private static ChatClient client;

  @BeforeAll
  static void start() {
    simulator = Simulator.start(0);
    client = new ChatClient(simulator);
  }

  @AfterAll
  static void stop() {
    client.close();
    simulator.close();
  }

  @Test
  void without_a_cue_it_greets_and_repeats_what_was_said_word_by_word() {
    ChatClient.Reply reply = client.ask("How are you?");

    assertThat(reply.text()).contains("simulator").contains("You said: \"How are you?\"");
    assertThat(reply.pieces("content")).hasSizeGreaterThan(5);
    assertThat(reply.finishReasons()).isEqualTo("stop");
  }

  @Test
  void a_long_message_is_repeated_in_part() {
    assertThat(client.ask("long ".repeat(10_000)).text()).hasSizeLessThan(500).contains("…");
  }

  @Test
  void a_later_message_shows_that_the_history_arrived() {
    ObjectNode body = streamed("user", "one", "assistant", "yes", "user", "two");

    assertThat(client.send(body).text()).contains("your message number 2");
  }

  @Test
  void a_scripted_stream_has_thinking_text_finish_usage_and_done() {
    ChatClient.Reply reply = client.ask("[[think Let me see]] [[say Hello there]]");

    assertThat(reply.pieces("reasoning_content")).containsExactly("Let", " me", " see");
    assertThat(reply.pieces("content")).containsExactly("Hello", " there");
    assertThat(reply.finishReasons()).isEqualTo("stop");
    assertThat(reply.usage().path("completion_tokens").asInt()).isEqualTo(5);
    assertThat(reply.deltas().getFirst().path("role").asText()).isEqualTo("assistant");
  }

  @Test
  void all_chunks_of_a_stream_share_id_model_and_time() {
    assertThat(
            client.ask("[[words 3]]").chunks().stream()
                .map(c -> c.path("id") + " " + c.path("created") + " " + c.path("model"))
                .distinct())
        .hasSize(1);
  }

  @Test
  void a_whole_answer_is_one_object() {
    JsonNode answer = client.askWhole("[[think Hm]] [[say Hello there]]").json();

    assertThat(answer.path("object").asText()).isEqualTo("chat.completion");
    JsonNode choice = answer.at("/choices/0");
    assertThat(choice.at("/message/role").asText()).isEqualTo("assistant");
    assertThat(choice.at("/message/content").asText()).isEqualTo("Hello there");
    assertThat(choice.at("/message/reasoning_content").asText()).isEqualTo("Hm");
    assertThat(choice.path("finish_reason").asText()).isEqualTo("stop");
    assertThat(answer.at("/usage/total_tokens").asInt()).isPositive();
  }

  @Test
  void text_keeps_its_own_spaces_and_lines() {
    assertThat(client.ask("[[say a  b\n c ]][[say  d]]").text()).isEqualTo("a  b\n c  d");
  }

  @Test
  void a_chunk_is_one_piece() {
    assertThat(client.ask("[[chunk All at once, 日本語 too]]").pieces("content"))
        .containsExactly("All at once, 日本語 too");
  }

  @Test
  void words_are_counted_and_in_order() {
    assertThat(client.ask("[[words 3]]").text()).isEqualTo("word1 word2 word3");
    assertThat(client.ask("[[words 5000]]").pieces("content"))
        .hasSize(5000)
        .last()
        .isEqualTo(" word5000");
  }

  @Test
  void a_pace_changes_nothing_but_the_time() {
    assertThat(client.ask("[[pace 1ms]] [[words 3]] [[delay 1ms]] [[say !]]").text())
        .isEqualTo("word1 word2 word3!");
  }

  @Test
  void the_script_can_ask_about_history_system_tools_and_model() {
    ObjectNode body =
        streamed(
            "system", "Be kind.",
            "user", "My name is Ann.",
            "assistant", "Hi.",
            "user", "[[say {{history}}|{{system}}|{{previous}}|{{tools}}|{{model}}|{{step}}]]");
    body.putArray("tools").addObject().putObject("function").put("name", "weather");

    assertThat(client.send(body).text())
        .isEqualTo(
            "4 messages: system, user, assistant, user"
                + "|Be kind.|My name is Ann.|weather|any|1");
  }

  @Test
  void content_in_parts_is_read_like_a_string() {
    ObjectNode body = streamed();
    body.withArray("messages")
        .addObject()
        .put("role", "user")
        .putArray("content")
        .addObject()
        .put("type", "text")
        .put("text", "[[say from parts]]");

    assertThat(client.send(body).text()).isEqualTo("from parts");
  }

  @Test
  void a_script_in_the_system_prompt_serves_when_the_message_has_none() {
    String system = "[[say You asked: {{user}}]]";

    assertThat(client.send(streamed("system", system, "user", "Why?")).text())
        .isEqualTo("You asked: Why?");
    assertThat(client.send(streamed("system", system, "user", "[[say mine]]")).text())
        .isEqualTo("mine");
  }

  @Test
  void usage_can_be_given_or_left_out() {
    assertThat(client.ask("[[say a]] [[usage 12 34]]").usage().toString())
        .isEqualTo("{\"prompt_tokens\":12,\"completion_tokens\":34,\"total_tokens\":46}");
    assertThat(client.ask("[[say a]] [[usage none]]").usage().isMissingNode()).isTrue();
    assertThat(client.askWhole("[[say a]] [[usage none]]").json().has("usage")).isFalse();
  }

  @Test
  void a_stream_reports_usage_only_when_asked() {
    ObjectNode body = streamed("user", "[[say a]]");
    body.remove("stream_options");

    assertThat(client.send(body).usage().isMissingNode()).isTrue();
  }

  @Test
  void the_finish_reason_can_be_given_or_left_out() {
    assertThat(client.ask("[[say a]] [[finish length]]").finishReasons()).isEqualTo("length");
    assertThat(client.ask("[[say a]] [[finish none]]").finishReasons()).isEmpty();
  }

  @Test
  void an_empty_answer_has_no_text() {
    assertThat(client.ask("[[empty]]").text()).isEmpty();
    assertThat(client.askWhole("[[empty]]").json().at("/choices/0/message/content").asText("?"))
        .isEmpty();
  }

  @Test
  void a_bad_cue_is_a_bad_request_in_the_shape_of_openai() {
    ChatClient.Reply reply = client.ask("[[shout hello]]");

    assertThat(reply.status()).isEqualTo(400);
    JsonNode error = reply.json().path("error");
    assertThat(error.path("message").asText()).contains("[[shout]]").contains("Known cues: say");
    assertThat(error.path("type").asText()).isEqualTo("invalid_request_error");
  }

  @Test
  void a_body_that_is_no_chat_is_a_bad_request() {
    assertThat(client.sendText("{\"messages\":").status()).isEqualTo(400);
    assertThat(client.sendText("[]").status()).isEqualTo(400);
    assertThat(client.sendText("{}").json().at("/error/message").asText()).contains("'messages'");
  }

  @Test
  void too_large_a_body_is_refused_by_its_head() throws IOException {
    try (RawClient raw = new RawClient(simulator)) {
      raw.postHead(8 * 1024 * 1024 + 1);

      assertThat(raw.line()).startsWith("HTTP/1.1 413");
    }
  }

  @Test
  void models_are_listed_and_other_paths_are_not_found() {
    assertThat(client.get("/v1/models").json().at("/data/0/id").asText()).isEqualTo("simulator");
    ChatClient.Reply other = client.get("/v1/engines");
    assertThat(other.status()).isEqualTo(404);
    assertThat(other.json().at("/error/message").asText()).contains("/v1/engines");
  }

  @Test
  void an_answer_without_pauses_keeps_the_connection() throws IOException {
    try (RawClient raw = new RawClient(simulator)) {
      raw.post(whole("user", "[[error 500]]").toString());
      String status = raw.line();
      raw.post(whole("user", "[[say last]] [[pace 1ms]]").toString());

      assertThat(status).startsWith("HTTP/1.1 500");
      assertThat(raw.restOfConnection()).contains("\"content\":\"last\"");
    }
  }

  @Test
  void a_taken_port_is_reported() {
    assertThatThrownBy(() -> Simulator.start(simulator.port()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(String.valueOf(simulator.port()));
  }
}
