package agentengine.http;

import agentengine.config.Variable;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An engine with low limits: 5 requests for a token, and a rule with two tiers. */
final class LimitedEngine {
  private static final String LIMITS =
      """
        rate_limit: {requests: 5, window: 1h}
      rate_limits:
        per-customer:
          key_header: X-Customer
          tier_header: X-Plan
          default_tier: free
          tiers:
            free: {requests: 3, window: 1h}
            pro: {requests: 500, window: 2h}
      """;

  private LimitedEngine() {}

  static TestEngine start(TestDatabases.Kind kind) {
    return TestEngine.start(kind, options -> limit(options.get(Variable.CONFIG)));
  }

  private static void limit(@Nullable String configuration) {
    Path file = Path.of(configuration == null ? "" : configuration);
    try {
      String text = Files.readString(file);
      Files.writeString(file, text.substring(0, text.indexOf("  rate_limit:")) + LIMITS);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The usage record of a customer. */
  static JsonNode usage(ApiClient client, String value) {
    return client
        .get("/api/v1/rate-limits/usage?key_header=X-Customer&key_value=" + value)
        .expect(200);
  }

  /** A request like any other, with these names and values as headers. */
  static Answer get(ApiClient client, String... headers) {
    Map<String, String> all = new HashMap<>();
    for (int i = 0; i < headers.length; i += 2) {
      all.put(headers[i], headers[i + 1]);
    }
    return client.send("GET", "/api/v1/agents", null, all);
  }

  /** What is left after an answer that must have this status. */
  static long left(Answer answer, int status) {
    answer.expect(status);
    return header(answer, "X-RateLimit-Remaining");
  }

  static long header(Answer answer, String name) {
    return Stream.ofNullable(answer.header(name))
        .mapToLong(Long::parseLong)
        .findFirst()
        .orElseThrow();
  }
}
