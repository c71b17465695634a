package agentengine.process;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.simulator.Simulator;
import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an engine that is killed leaves behind, the next one takes up. */
@ParameterizedClass
@EnumSource
class CrashTest {
  private final TestDatabases.Fresh database;
  private final Simulator simulator = Simulator.start(0);
  private final EngineProcess.Launch launch;

  CrashTest(TestDatabases.Kind kind) {
    database = TestDatabases.fresh(kind);
    EngineProcess.Launch plain =
        EngineProcess.Launch.in(database.dataDirectory())
            .withConfiguration(Fixture.configuration(simulator));
    launch =
        database instanceof TestDatabases.Postgres postgres
            ? plain.with(Variable.DATABASE_URL, postgres.url())
            : plain;
  }

  @AfterEach
  void close() {
    simulator.close();
    database.close();
  }

  @Test
  void turns_and_answers_survive_a_kill() {
    EngineClient.Events followed;
    List<EngineClient.Event> before;
    String unfollowed;
    String answered;
    try (EngineProcess engine = launch.start()) {
      EngineClient client = engine.client();
      // One step that is committed, and one that is under way when the end comes.
      followed =
          client.chat(
              "help",
              "[[tool nothing {}]] [[then]] [[chunk Start]] [[stall times=1 key=a]] [[chunk ed]]");
      before = followed.through("message_delta");
      EngineClient.Events left =
          client.chat("help", "[[chunk Al]] [[stall times=1 key=b]] [[chunk one]]");
      left.through("message_delta");
      unfollowed = left.sessionId();
      answered = client.ask("help", "[[say I said it]]").path("session_id").textValue();

      assertThat(engine.kill().status()).isNotZero();
    }

    try (EngineProcess engine = launch.start()) {
      EngineClient client = engine.client();

      assertThat(contents(client, answered)).containsExactly("[[say I said it]]", "I said it");

      String last = before.getLast().id();
      List<EngineClient.Event> after = client.attach(followed.sessionId(), last).rest();
      assertThat(Stream.concat(before.stream(), after.stream()))
          .filteredOn(EngineClient.Event::isDurable)
          .extracting(EngineClient.Event::name)
          .containsExactly("tool_result", "message", "done");
      assertThat(after).extracting(EngineClient.Event::id).doesNotContain(last);
      assertThat(after.getLast().id()).startsWith("1.2.");
      JsonNode session = client.get("/sessions/" + followed.sessionId());
      assertThat(session.path("status").textValue()).isEqualTo("idle");
      assertThat(session.path("messages").findValuesAsText("role"))
          .containsExactly("user", "assistant", "tool", "assistant");
      assertThat(session.path("messages").path(3).path("content").textValue()).isEqualTo("Started");

      Eventually.until(
          "the turn that nobody follows has ended",
          () -> client.get("/sessions/" + unfollowed).path("status").textValue().equals("idle"));
      assertThat(contents(client, unfollowed)).hasSize(2).last().isEqualTo("Alone");
    }
  }

  private static List<String> contents(EngineClient client, String session) {
    return client.get("/sessions/" + session).path("messages").findValuesAsText("content");
  }
}
