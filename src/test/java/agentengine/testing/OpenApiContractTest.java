package agentengine.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiConsumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Proves that the contract refuses what it should, and that the document is sound in itself. */
class OpenApiContractTest {
  private static final String JSON = "application/json";
  private static final String SSE = "text/event-stream";
  private static final String HEALTH =
      """
      {"status": "ok", "version": "0.1.0", "agents_count": 2, "uptime": "3h12m5s"}\
      """;
  private static final String NOT_FOUND =
      """
      {"error": "not_found", "message": "nothing is here"}\
      """;
  private static final Map<String, List<String>> REQUEST_ID = Map.of("X-Request-Id", List.of("r1"));

  private final OpenApiContract contract = OpenApiContract.instance();

  @Nested
  class AResponse {
    @Test
    void passesWhenItIsAsDocumented() {
      assertPasses(answer("GET /api/v1/health", 200, HEALTH));
    }

    @Test
    void passesWithParametersInItsContentTypeAndAQueryInItsPath() {
      assertPasses(
          answer("GET /api/v1/health?verbose=1", 200, HEALTH)
              .contentType("Application/JSON; charset=utf-8"));
    }

    @Test
    void isRefusedForAWrongType() {
      assertRefused(answer("GET /api/v1/health", 200, HEALTH.replace(" 2", " \"2\"")))
          .hasMessageContaining("GET /api/v1/health answered 200")
          .hasMessageContaining("body/agents_count")
          .hasMessageContaining("integer expected");
    }

    @Test
    void isRefusedForAnExtraField() {
      assertRefused(answer("GET /api/v1/health", 200, HEALTH.replace("{", "{\"extra\": 1, ")))
          .hasMessageContaining("'extra'");
    }

    @Test
    void isRefusedForAMissingField() {
      assertRefused(answer("GET /api/v1/health", 200, HEALTH.replace("\"status\": \"ok\", ", "")))
          .hasMessageContaining("required property 'status' not found");
    }

    @Test
    void isRefusedWithEveryViolationAtOnce() {
      assertRefused(answer("GET /api/v1/health", 200, "{\"stats\": \"ok\"}").headers(Map.of()))
          .hasMessageContaining("'stats'")
          .hasMessageContaining("'status'")
          .hasMessageContaining("'uptime'")
          .hasMessageContaining("X-Request-Id");
    }

    @Test
    void isRefusedForATimestampThatIsNone() {
      String session =
          """
          {"access_token": "a.b.c", "expires_at": "%s"}\
          """;
      String request = "POST /api/v1/auth/local-session";
      assertPasses(answer(request, 200, session.formatted("2026-03-02T09:15:30.123Z")));
      assertRefused(answer(request, 200, session.formatted("2026-03-02 09:15")))
          .hasMessageContaining("body/expires_at");
    }

    @Test
    void isRefusedForAStatusThatIsNotDocumented() {
      assertRefused(answer("GET /api/v1/health", 418, NOT_FOUND))
          .hasMessageContaining("GET /api/v1/health answered 418")
          .hasMessageContaining("the status is not documented; documented are [200, 500]");
    }

    @Test
    void isRefusedForAContentTypeThatIsNotDocumented() {
      assertRefused(answer("GET /api/v1/health", 200, HEALTH).contentType("text/html"))
          .hasMessageContaining("'text/html' is not documented; documented are [application/json]");
      assertRefused(answer("GET /api/v1/health", 200, HEALTH).contentType(null))
          .hasMessageContaining("'' is not documented");
    }

    @Test
    void isRefusedWhenItIsNotExactlyOneJsonValueWithoutRepeatedKeys() {
      assertRefused(answer("GET /api/v1/health", 200, "")).hasMessageContaining("body: is empty");
      assertRefused(answer("GET /api/v1/health", 200, "{")).hasMessageContaining("is not JSON");
      assertRefused(answer("GET /api/v1/health", 200, HEALTH + HEALTH))
          .hasMessageContaining("is not JSON");
      assertRefused(answer("GET /api/v1/health", 200, HEALTH.replace("{", "{\"status\": \"ok\", ")))
          .hasMessageContaining("Duplicate field 'status'");
    }

    @Test
    void isRefusedWithoutARequiredHeader() {
      assertRefused(answer("GET /api/v1/health", 200, HEALTH).headers(Map.of()))
          .hasMessageContaining("the header X-Request-Id is missing");
      assertRefused(answer("GET /api/v1/agents", 401, error("unauthorized")))
          .hasMessageContaining("the header WWW-Authenticate is missing");
    }

    @Test
    void passesWithItsHeaderNamesInAnyCase() {
      assertPasses(
          answer("GET /api/v1/agents", 401, error("unauthorized"))
              .headers(
                  Map.of("x-request-id", List.of("r1"), "www-authenticate", List.of("Bearer"))));
    }

    @Test
    void isRefusedForAHeaderValueOfTheWrongForm() {
      BiConsumer<String, Boolean> retryAfter =
          (value, passes) -> {
            Answer answer =
                answer("GET /api/v1/agents", 429, error("rate_limited"))
                    .headers(with(REQUEST_ID, "Retry-After", value));
            if (passes) {
              assertPasses(answer);
            } else {
              assertRefused(answer).hasMessageContaining("header Retry-After");
            }
          };
      retryAfter.accept("12", true);
      retryAfter.accept("soon", false);
      retryAfter.accept("-1", false);
    }

    @Test
    void isRefusedWhenItsErrorCodeBelongsToAnotherStatus() {
      assertPasses(answer("GET /api/v1/agents/support", 404, NOT_FOUND));
      assertRefused(answer("GET /api/v1/agents/support", 404, error("conflict")))
          .hasMessageContaining("GET /api/v1/agents/{name} answered 404")
          .hasMessageContaining("body/error");
    }

    @Test
    void isRefusedForABodyWhereNoneIsDocumented() {
      assertPasses(answer("DELETE /api/v1/agents/support", 204, "").contentType(null));
      assertRefused(answer("DELETE /api/v1/agents/support", 204, "{}").contentType(null))
          .hasMessageContaining("the body must be empty");
      assertRefused(answer("DELETE /api/v1/agents/support", 204, "{}"))
          .hasMessageContaining("'application/json' is not documented");
    }

    @Test
    void passesAsTextWhereTextIsDocumented() {
      assertPasses(answer("GET /metrics", 200, "up 1\n").contentType("text/plain; version=0.0.4"));
      assertRefused(answer("GET /metrics", 200, "").contentType("text/plain"));
    }

    @Test
    void mayBeCheckedByManyThreadsAtOnce() throws Exception {
      Callable<Boolean> both =
          () -> {
            assertPasses(answer("GET /api/v1/health", 200, HEALTH));
            assertRefused(answer("GET /api/v1/health", 200, NOT_FOUND));
            return true;
          };
      try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
        List<Callable<Boolean>> checks = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
          checks.add(both);
        }
        for (Future<Boolean> check : threads.invokeAll(checks)) {
          assertThat(check.get()).isTrue();
        }
      }
    }
  }

  @Nested
  class ARequestOutsideTheDocument {
    @Test
    void mayBeAnsweredWithASharedErrorOnAnUnknownPath() {
      assertPasses(answer("GET /api/v1/nothing/here", 404, NOT_FOUND));
      assertPasses(
          answer("GET /api/v1/nothing/here", 401, error("unauthorized"))
              .headers(with(REQUEST_ID, "WWW-Authenticate", "Bearer")));
      assertPasses(
          answer("POST /nothing", 405, error("method_not_allowed"))
              .headers(with(REQUEST_ID, "Allow", "GET")));
    }

    @Test
    void mayNotBeAnsweredOtherwiseOnAnUnknownPath() {
      assertRefused(answer("GET /api/v1/nothing/here", 404, "{\"error\": \"not_found\"}"))
          .hasMessageContaining("GET /api/v1/nothing/here answered 404")
          .hasMessageContaining("'message'");
      assertRefused(answer("GET /api/v1/nothing/here", 200, "{}"))
          .hasMessageContaining("the status is not documented");
      assertRefused(answer("GET /api/v1/agents/", 200, "[]"))
          .hasMessageContaining("the status is not documented");
    }

    @Test
    void isRefusedWith405AndAllowWhereThePathHasOtherMethods() {
      String wrongMethod = error("method_not_allowed");
      assertPasses(
          answer("PATCH /api/v1/agents/support", 405, wrongMethod)
              .headers(with(REQUEST_ID, "Allow", "GET, PUT, DELETE")));
      assertRefused(answer("PATCH /api/v1/agents/support", 405, wrongMethod))
          .hasMessageContaining("PATCH /api/v1/agents/{name} answered 405")
          .hasMessageContaining("the header Allow is missing");
      assertRefused(answer("PATCH /api/v1/agents/support", 404, NOT_FOUND))
          .hasMessageContaining("the status is not documented");
    }

    @Test
    void isCheckedForItsHeadersOnlyWhenTheMethodIsHead() {
      assertPasses(answer("HEAD /api/v1/health", 200, ""));
      assertPasses(answer("HEAD /api/v1/health", 200, "").contentType(null));
      assertRefused(answer("HEAD /api/v1/health", 200, "").contentType("text/html"));
      assertRefused(answer("HEAD /api/v1/health", 200, HEALTH))
          .hasMessageContaining("the body must be empty");
      assertRefused(answer("HEAD /api/v1/health", 200, "").headers(Map.of()))
          .hasMessageContaining("X-Request-Id");
    }

    @Test
    void isAnsweredWith204WhenTheMethodIsOptions() {
      assertPasses(answer("OPTIONS /api/v1/agents", 204, "").contentType(null));
      assertRefused(answer("OPTIONS /api/v1/agents", 200, HEALTH))
          .hasMessageContaining("documented are [204]");
    }
  }

  @Nested
  class APath {
    @Test
    void isMatchedByItsLiteralSegmentsBeforeParameters() {
      String teapot = "\"/api/v1/models/teapot\":{\"get\":{\"responses\":{\"418\":{}}}}";
      String yaml = contract.document().toString();
      OpenApiContract wider =
          OpenApiContract.of(yaml.replace("\"paths\":{", "\"paths\":{" + teapot + ","));
      assertThatCode(() -> checkTeapot(wider, "/api/v1/models/teapot")).doesNotThrowAnyException();
      assertThatThrownBy(() -> checkTeapot(wider, "/api/v1/models/fast"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("GET /api/v1/models/{name} answered 418");
    }

    private void checkTeapot(OpenApiContract contract, String path) {
      contract.check("GET", path, 418, null, Map.of(), bytes(""));
    }
  }

  @Nested
  class AnEvent {
    @Test
    void passesWhenItIsAsDocumented() {
      assertThatCode(() -> contract.checkEvent("message_delta", "{\"content\": \"Hi\"}"))
          .doesNotThrowAnyException();
    }

    @Test
    void isRefusedWhenItIsUnknown() {
      assertEventRefused("message_dleta", "{\"content\": \"Hi\"}")
          .hasMessageContaining("'message_dleta' is not documented");
    }

    @Test
    void isRefusedForAWrongAnExtraOrAMissingField() {
      assertEventRefused("message_delta", "{\"content\": 1}").hasMessageContaining("/content");
      assertEventRefused("message_delta", "{\"content\": \"\", \"n\": 1}")
          .hasMessageContaining("'n'");
      assertEventRefused("done", "{\"session_id\": \"s1\"}").hasMessageContaining("'tokens'");
      assertEventRefused("done", "").hasMessageContaining("is empty");
    }

    @Test
    void ofAToolResultNeedsBothKeysAndHasAtMostOneValue() {
      assertEventRefused("tool_result", "{\"tool\": \"t\", \"output\": 1}")
          .hasMessageContaining("'error'");
      assertEventRefused("tool_result", "{\"tool\": \"t\", \"output\": 1, \"error\": \"no\"}");
    }

    @Test
    void ofAStructuredOutputHasQuestionsOnlyInAFormAndOptionsWhereOneSelects() {
      assertEventRefused("structured_output", "{\"output_type\": \"info\", \"questions\": []}");
      assertEventRefused(
              "structured_output",
              """
              {"output_type": "form", "questions": [{"id": "a", "label": "A", "type": "select"}]}\
              """)
          .hasMessageContaining("'options'");
    }

    @Test
    void isCheckedInsideAStreamToo() {
      String good = frame("message", "{\"content\":\"Hi\",\"role\":\"assistant\"}", "1.1.1");
      String done = frame("done", "{\"session_id\":\"s1\",\"tokens\":3}", "1.1.2");
      assertPasses(stream(good + ": still here\n\n" + done));
      assertPasses(stream(good + "event: done\ndata: {\"session"));
      assertRefused(stream(frame("message", "{\"content\":\"Hi\"}", "1.1.1")))
          .hasMessageContaining("data of message: required property 'role' not found");
      assertRefused(stream(frame("mesage", "{}", "1.1.1"))).hasMessageContaining("'mesage'");
      assertRefused(stream(frame("done", "{\"session_id\":\"s1\",\"tokens\":3}", "17")))
          .hasMessageContaining("<turn>.<attempt>.<n>");
      assertRefused(stream("event: thinking\ndata: {\"content\":\"hm\"}\n\n"))
          .hasMessageContaining("but this one: [event, data]");
      assertRefused(stream(done + good)).hasMessageContaining("goes on after the event done");
    }

    private String frame(String event, String data, String id) {
      return "event: %s\ndata: %s\nid: %s\n\n".formatted(event, data, id);
    }
  }

  @Nested
  class TheDocument {
    private final JsonNode document = contract.document();

    @Test
    void hasExactlyTheRoutesOfTheEngine() {
      assertThat(contract.operations())
          .containsExactlyInAnyOrder(
              "POST /api/v1/auth/local-session",
              "POST /api/v1/auth/tokens",
              "GET /api/v1/auth/tokens",
              "DELETE /api/v1/auth/tokens/{id}",
              "GET /api/v1/audit/tool-calls",
              "GET /api/v1/audit/events",
              "GET /api/v1/rate-limits/usage",
              "GET /api/v1/agents",
              "POST /api/v1/agents",
              "GET /api/v1/agents/{name}",
              "PUT /api/v1/agents/{name}",
              "DELETE /api/v1/agents/{name}",
              "GET /api/v1/tools",
              "POST /api/v1/tools",
              "GET /api/v1/tools/{name}",
              "PUT /api/v1/tools/{name}",
              "DELETE /api/v1/tools/{name}",
              "GET /api/v1/models",
              "POST /api/v1/models",
              "GET /api/v1/models/{name}",
              "PUT /api/v1/models/{name}",
              "DELETE /api/v1/models/{name}",
              "POST /api/v1/models/{name}/verify",
              "GET /api/v1/models/registry",
              "GET /api/v1/models/registry/providers",
              "GET /api/v1/schemas",
              "POST /api/v1/schemas",
              "GET /api/v1/schemas/{name}",
              "PUT /api/v1/schemas/{name}",
              "DELETE /api/v1/schemas/{name}",
              "POST /api/v1/schemas/{name}/chat",
              "GET /api/v1/sessions",
              "GET /api/v1/sessions/{id}",
              "DELETE /api/v1/sessions/{id}",
              "GET /api/v1/sessions/{id}/stream",
              "POST /api/v1/sessions/{id}/cancel",
              "POST /api/v1/sessions/{id}/respond",
              "GET /api/v1/tasks",
              "POST /api/v1/tasks",
              "GET /api/v1/tasks/{id}",
              "DELETE /api/v1/tasks/{id}",
              "POST /api/v1/tasks/{id}/input",
              "POST /api/v1/config/reload",
              "GET /api/v1/config/export",
              "POST /api/v1/config/import",
              "GET /api/v1/config/schema",
              "GET /api/v1/settings",
              "PUT /api/v1/settings",
              "GET /api/v1/health",
              "GET /api/v1/openapi.yaml",
              "GET /metrics",
              "GET /docs",
              "GET /docs/{file}",
              "GET /");
    }

    @Test
    void hasNoReferenceThatLeadsNowhere() {
      List<String> references = new ArrayList<>();
      for (JsonNode reference : document.findValues("$ref")) {
        references.add(reference.asText());
      }
      for (JsonNode events : document.findValues("x-events")) {
        events.forEach(reference -> references.add(reference.asText()));
      }
      assertThat(references)
          .hasSizeGreaterThan(100)
          .allSatisfy(reference -> assertThat(reference).startsWith("#/"))
          .allSatisfy(
              reference ->
                  assertThat(document.at(reference.substring(1)).isMissingNode()).isFalse());
    }

    @Test
    void hasOnlyExamplesThatFitTheirSchemas() {
      List<String> checked = new ArrayList<>();
      walk(JsonPointer.empty(), document, (at, node) -> checked.addAll(checkExamples(at, node)));
      assertThat(checked).hasSizeGreaterThan(60);
    }

    @Test
    void hasOnlyExamplesOfStreamsWhoseFramesPass() {
      List<String> streams = new ArrayList<>();
      for (JsonNode stream : document.path("paths").findValues(SSE)) {
        stream.path("examples").forEach(each -> streams.add(each.path("value").asText()));
        if (stream.has("example")) {
          streams.add(stream.path("example").asText());
        }
      }
      assertThat(streams)
          .hasSize(3)
          .allSatisfy(stream -> assertThat(stream).endsWith("\n\n"))
          .allSatisfy(stream -> assertPasses(stream(stream)));
    }

    @Test
    void declaresExactlyTheParametersOfEachPath() {
      for (Map.Entry<String, JsonNode> item : document.path("paths").properties()) {
        List<String> declared = new ArrayList<>();
        for (JsonNode parameter : item.getValue().path("parameters")) {
          assertThat(target(parameter).path("in").asText()).isEqualTo("path");
          declared.add("{" + target(parameter).path("name").asText() + "}");
        }
        List<String> inPath =
            Pattern.compile("\\{\\w+}")
                .matcher(item.getKey())
                .results()
                .map(MatchResult::group)
                .toList();
        assertThat(declared).as(item.getKey()).isEqualTo(inPath);
      }
    }

    @Test
    void namesTheNineEventsOnEveryStream() {
      List<JsonNode> mappings = document.findValues("x-events");
      assertThat(mappings).hasSize(2);
      assertThat(mappings.getFirst()).isEqualTo(mappings.getLast());
      assertThat(keys(mappings.getFirst()))
          .containsExactlyInAnyOrder(
              "thinking",
              "message_delta",
              "message",
              "tool_call",
              "tool_result",
              "structured_output",
              "confirmation",
              "error",
              "done");
    }

    @Test
    void describesEveryOperationInFull() {
      Set<String> ids = new TreeSet<>();
      forEachOperation(
          (name, operation) -> {
            assertThat(ids.add(operation.path("operationId").asText())).as(name).isTrue();
            assertThat(keys(operation))
                .as(name)
                .contains("summary", "description", "tags", "security", "x-required-scopes");
            assertThat(operation.path("responses")).as(name).isNotEmpty();
          });
    }

    @Test
    void asksForATokenExactlyWhereAScopeIsNeededAndAlwaysTakesAdmin() {
      forEachOperation(
          (name, operation) -> {
            Set<String> scopes = contract.requiredScopes().getOrDefault(name, Set.of());
            assertThat(operation.path("security").isEmpty()).as(name).isEqualTo(scopes.isEmpty());
            assertThat(operation.path("responses").has("401"))
                .as(name)
                .isEqualTo(!scopes.isEmpty());
            if (!scopes.isEmpty()) {
              assertThat(scopes).as(name).contains("admin");
            }
          });
    }

    @Test
    void promisesARequestIdOnEveryResponse() {
      forEachOperation(
          (name, operation) ->
              operation
                  .path("responses")
                  .forEach(
                      response ->
                          assertThat(keys(target(response).path("headers")))
                              .as(name)
                              .contains("X-Request-Id")));
    }

    @Test
    void namesTheRateLimitOnEveryAnswerToACallerThatIsKnown() {
      forEachOperation(
          (name, operation) -> {
            if (!operation.path("x-required-scopes").isEmpty()) {
              operation
                  .path("responses")
                  .properties()
                  .forEach(
                      response -> {
                        if (!response.getKey().equals("401")) {
                          assertThat(keys(target(response.getValue()).path("headers")))
                              .as(name + " " + response.getKey())
                              .contains(
                                  "X-RateLimit-Limit",
                                  "X-RateLimit-Remaining",
                                  "X-RateLimit-Reset");
                        }
                      });
            }
          });
    }

    @Test
    void closesEveryObjectAndRequiresOnlyWhatItDescribes() {
      Set<String> open = new TreeSet<>();
      for (Map.Entry<String, JsonNode> schema : document.at("/components/schemas").properties()) {
        JsonNode body = schema.getValue();
        if (body.path("type").asText().equals("object") && !body.has("additionalProperties")) {
          open.add(schema.getKey());
        }
        body.path("required")
            .forEach(
                field ->
                    assertThat(keys(body.path("properties")))
                        .as(schema.getKey())
                        .contains(field.asText()));
      }
      assertThat(open).containsExactly("ToolInput");
    }

    @Test
    void isRefusedWhenASchemaHasAMisspeltKeyword() {
      String misspelt = document.toString().replace("\"minLength\"", "\"minLenght\"");
      assertThatThrownBy(() -> OpenApiContract.of(misspelt)).hasMessageContaining("minLenght");
    }

    /** The places of the examples beside a {@code schema}, or in a schema itself. */
    private List<String> checkExamples(JsonPointer at, JsonNode node) {
      Map<JsonPointer, JsonNode> examples = new HashMap<>();
      JsonPointer schema = node.has("schema") ? at.appendProperty("schema") : at;
      if (node.has("example")) {
        examples.put(at.appendProperty("example"), node.path("example"));
      }
      JsonPointer many = at.appendProperty("examples");
      JsonNode listed = node.path("examples");
      for (int i = 0; listed.isArray() && i < listed.size(); i++) {
        examples.put(many.appendIndex(i), listed.path(i));
      }
      for (String name : keys(listed)) {
        examples.put(many.appendProperty(name), listed.path(name).path("value"));
      }
      examples.forEach(
          (where, example) ->
              assertThat(contract.violations(schema, example)).as(where.toString()).isEmpty());
      return examples.keySet().stream().map(JsonPointer::toString).toList();
    }

    private void walk(JsonPointer at, JsonNode node, BiConsumer<JsonPointer, JsonNode> visitor) {
      if (node.isObject()) {
        visitor.accept(at, node);
      }
      for (Map.Entry<String, JsonNode> child : node.properties()) {
        if (!child.getKey().startsWith("example")) {
          walk(at.appendProperty(child.getKey()), child.getValue(), visitor);
        }
      }
      for (int i = 0; node.isArray() && i < node.size(); i++) {
        walk(at.appendIndex(i), node.path(i), visitor);
      }
    }

    private void forEachOperation(BiConsumer<String, JsonNode> visitor) {
      for (String name : contract.operations()) {
        List<String> methodAndPath = List.of(name.split(" ", 2));
        JsonNode item = document.path("paths").path(methodAndPath.getLast());
        visitor.accept(name, item.path(methodAndPath.getFirst().toLowerCase(Locale.ROOT)));
      }
    }

    private JsonNode target(JsonNode node) {
      return node.has("$ref") ? document.at(node.path("$ref").asText().substring(1)) : node;
    }

    private List<String> keys(JsonNode node) {
      return node.properties().stream().map(Map.Entry::getKey).toList();
    }
  }

  private record Answer(
      String request,
      int status,
      @Nullable String contentType,
      Map<String, List<String>> headers,
      String body) {
    Answer contentType(@Nullable String type) {
      return new Answer(request, status, type, headers, body);
    }

    Answer headers(Map<String, List<String>> others) {
      return new Answer(request, status, contentType, others, body);
    }
  }

  private static Answer stream(String body) {
    return answer("GET /api/v1/sessions/s1/stream", 200, body).contentType(SSE);
  }

  private static Answer answer(String request, int status, String body) {
    return new Answer(request, status, JSON, REQUEST_ID, body);
  }

  private void assertPasses(Answer answer) {
    assertThatCode(() -> check(answer)).doesNotThrowAnyException();
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertRefused(Answer answer) {
    return assertThatThrownBy(() -> check(answer)).isInstanceOf(AssertionError.class);
  }

  private AbstractThrowableAssert<?, ? extends Throwable> assertEventRefused(
      String event, String json) {
    return assertThatThrownBy(() -> contract.checkEvent(event, json))
        .isInstanceOf(AssertionError.class);
  }

  private void check(Answer answer) {
    String[] methodAndPath = answer.request.split(" ", 2);
    contract.check(
        methodAndPath[0],
        methodAndPath[1],
        answer.status,
        answer.contentType,
        answer.headers,
        bytes(answer.body));
  }

  private static String error(String code) {
    return "{\"error\": \"" + code + "\", \"message\": \"because\"}";
  }

  private static Map<String, List<String>> with(
      Map<String, List<String>> headers, String name, String value) {
    Map<String, List<String>> more = new HashMap<>(headers);
    more.put(name, List.of(value));
    return more;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }
}
