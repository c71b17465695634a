package agentengine.turn;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A chat request that is sent again gets the first answer, never a second turn. */
@ParameterizedClass
@EnumSource
class IdempotencyKeyTest {
  private final ApiClient client;
  private final String key = TestEngine.freshName();

  IdempotencyKeyTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
  }

  @Test
  void the_same_request_gets_the_first_answer_again() {
    JsonNode first = send(client, key, "[[say {{step}}]]", null).expect(200);
    JsonNode second = send(client, key, "[[say {{step}}]]", null).expect(200);

    assertThat(second).isEqualTo(first);
    assertThat(messages(first)).isEqualTo(2);
  }

  @Test
  void the_first_answer_is_kept_even_if_the_session_has_gone_on() {
    JsonNode first = send(client, key, "[[say one]]", null).expect(200);
    String session = first.path("session_id").textValue();
    send(client, key + "-2", "[[say two]]", session).expect(200);
    send(client, key + "-3", "[[say three]]", session).expect(200);

    assertThat(send(client, key, "[[say one]]", null).expect(200)).isEqualTo(first);
    assertThat(send(client, key + "-2", "[[say two]]", session).expect(200).path("response"))
        .isEqualTo(Json.parse("\"two\""));
    assertThat(messages(first)).isEqualTo(6);
  }

  @Test
  void another_body_under_the_same_key_is_a_conflict() {
    send(client, key, "[[say one]]", null).expect(200);

    assertThat(send(client, key, "[[say two]]", null).error(409)).isEqualTo("conflict");
  }

  @Test
  void keys_of_different_callers_do_not_meet() {
    JsonNode mine = send(client, key, "[[say hi]]", null).expect(200);
    JsonNode other = send(client.withScopes("chat"), key, "[[say hi]]", null).expect(200);

    assertThat(other.path("session_id")).isNotEqualTo(mine.path("session_id"));
  }

  @Test
  void many_at_once_start_one_turn() {
    List<String> sessions =
        IntStream.range(0, 8)
            .parallel()
            .mapToObj(_ -> send(client, key, "[[delay 50ms]] [[say once]]", null).expect(200))
            .map(body -> body.path("session_id").textValue())
            .distinct()
            .toList();

    assertThat(sessions).hasSize(1);
  }

  @Test
  void a_key_that_cannot_be_one_is_refused() {
    assertThat(send(client, "x".repeat(256), "[[say hi]]", null).error(400))
        .isEqualTo("invalid_request");
    assertThat(send(client, "two words", "[[say hi]]", null).error(400))
        .isEqualTo("invalid_request");
  }

  @Test
  void a_refused_request_does_not_use_its_key_up() {
    assertThat(send(client, key, "[[say hi]]", "nowhere").error(404)).isEqualTo("not_found");
    send(client, key, "[[say hi]]", null).expect(200);
  }

  private int messages(JsonNode answer) {
    return client
        .get("/api/v1/sessions/" + answer.path("session_id").textValue())
        .expect(200)
        .path("message_count")
        .intValue();
  }

  private static Answer send(
      ApiClient from, String key, String message, @Nullable String sessionId) {
    ObjectNode body = Json.object().put("message", message).put("stream", false);
    if (sessionId != null) {
      body.put("session_id", sessionId);
    }
    return from.send(
        "POST",
        "/api/v1/schemas/help/chat",
        Json.writeBytes(body),
        Scene.header("Idempotency-Key", key));
  }
}
