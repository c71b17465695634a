package agentengine.http;

import static agentengine.http.LimitedEngine.get;
import static agentengine.http.LimitedEngine.header;
import static agentengine.http.LimitedEngine.usage;
import static org.assertj.core.api.Assertions.assertThat;

import agentengine.config.Variable;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Many requests at once, on PostgreSQL to two engines that share it. */
@ParameterizedClass
@EnumSource
class RateLimitLoadTest {
  private final TestEngine engine;
  private final @Nullable TestEngine second;
  private final String customer = TestEngine.freshName();

  RateLimitLoadTest(TestDatabases.Kind kind) {
    engine = LimitedEngine.start(kind);
    second =
        engine.database() instanceof TestDatabases.Postgres postgres
            ? TestEngine.start(
                kind,
                options -> {
                  options.put(Variable.DATABASE_URL, postgres.url());
                  options.put(Variable.DATA_DIR, postgres.dataDirectory().toString());
                  options.put(
                      Variable.CONFIG, postgres.dataDirectory().resolve("engine.yaml").toString());
                })
            : null;
  }

  @AfterEach
  void stop() {
    if (second != null) {
      second.close();
    }
    engine.close();
  }

  @Test
  void of_1000_requests_at_once_500_are_let_through_and_all_answers_agree() {
    List<ApiClient> nodes = new ArrayList<>(List.of(engine.admin()));
    if (second != null) {
      nodes.add(second.admin());
    }

    List<Answer> answers = atOnce(1_000, nodes);

    List<Answer> good = answers.stream().filter(answer -> answer.status() == 200).toList();
    List<Answer> refused = answers.stream().filter(answer -> answer.status() == 429).toList();
    assertThat(good).hasSize(500);
    assertThat(refused).hasSize(500);
    assertThat(good)
        .extracting(answer -> header(answer, "X-RateLimit-Remaining"))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(0, 500).asLongStream().boxed().toList());
    assertThat(refused)
        .allSatisfy(answer -> assertThat(header(answer, "X-RateLimit-Remaining")).isZero());
    for (ApiClient node : nodes) {
      JsonNode usage = usage(node, customer);
      assertThat(usage.path("used").intValue()).isEqualTo(500);
      assertThat(usage.path("limit").intValue()).isEqualTo(500);
      long reset = Instant.parse(usage.path("resets_at").textValue()).getEpochSecond();
      assertThat(answers)
          .allSatisfy(answer -> assertThat(header(answer, "X-RateLimit-Reset")).isEqualTo(reset))
          .allSatisfy(answer -> assertThat(header(answer, "X-RateLimit-Limit")).isEqualTo(500));
    }
  }

  private List<Answer> atOnce(int many, List<ApiClient> nodes) {
    List<Future<Answer>> running = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < many; i++) {
        ApiClient node = nodes.get(i % nodes.size());
        running.add(threads.submit(() -> get(node, "X-Customer", customer, "X-Plan", "pro")));
      }
    }
    return running.stream().map(Future::resultNow).toList();
  }
}
