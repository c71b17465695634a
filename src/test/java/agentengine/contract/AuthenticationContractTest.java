package agentengine.contract;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.testing.TestDatabases;
import com.fasterxml.jackson.databind.JsonNode;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Authentication: tokens and what their scopes grant. */
@ParameterizedClass
@EnumSource
class AuthenticationContractTest {
  /** Who may do what; an administrator may do all of it. */
  private static final Map<String, Set<String>> SCOPES_OF =
      Map.ofEntries(
          Map.entry("POST /schemas/no-such/chat", Set.of("chat")),
          Map.entry("POST /sessions/no-such/respond", Set.of("chat")),
          Map.entry("POST /sessions/no-such/cancel", Set.of("chat")),
          Map.entry("GET /sessions", Set.of("chat")),
          Map.entry("GET /sessions/no-such", Set.of("chat")),
          Map.entry("GET /sessions/no-such/stream", Set.of("chat")),
          Map.entry("DELETE /sessions/no-such", Set.of("chat")),
          Map.entry("POST /tasks", Set.of("tasks")),
          Map.entry("GET /tasks", Set.of("tasks")),
          Map.entry("GET /tasks/no-such", Set.of("tasks")),
          Map.entry("DELETE /tasks/no-such", Set.of("tasks")),
          Map.entry("POST /tasks/no-such/input", Set.of("tasks")),
          Map.entry("GET /schemas", Set.of("chat", "agents:read")),
          Map.entry("POST /schemas", Set.of()),
          Map.entry("PUT /schemas/no-such", Set.of()),
          Map.entry("DELETE /schemas/no-such", Set.of()),
          Map.entry("GET /agents", Set.of("agents:read")),
          Map.entry("GET /agents/no-such", Set.of("agents:read")),
          Map.entry("POST /agents", Set.of("agents:write")),
          Map.entry("PUT /agents/no-such", Set.of("agents:write")),
          Map.entry("DELETE /agents/no-such", Set.of("agents:write")),
          Map.entry("GET /tools", Set.of("agents:read")),
          Map.entry("POST /tools", Set.of("agents:write")),
          Map.entry("DELETE /tools/no_such", Set.of("agents:write")),
          Map.entry("GET /models", Set.of("models:read")),
          Map.entry("GET /models/no-such", Set.of("models:read")),
          Map.entry("POST /models", Set.of("models:write")),
          Map.entry("PUT /models/no-such", Set.of("models:write")),
          Map.entry("DELETE /models/no-such", Set.of("models:write")),
          Map.entry("GET /audit/tool-calls", Set.of()),
          Map.entry("GET /audit/events", Set.of()),
          Map.entry("GET /auth/tokens", Set.of()),
          Map.entry("POST /auth/tokens", Set.of()),
          Map.entry("DELETE /auth/tokens/no-such", Set.of()));

  private final World world;
  private final Http admin;

  AuthenticationContractTest(TestDatabases.Kind kind) {
    world = World.on(kind);
    admin = world.admin();
  }

  /** Asks for what is not there, or with a body that lacks everything: nothing comes of it. */
  private static Reply call(Http client, String operation) {
    String[] parts = operation.split(" ", -1);
    boolean hasBody = parts[0].equals("POST") || parts[0].equals("PUT");
    return client.call(
        parts[0],
        parts[1],
        hasBody ? BodyPublishers.ofString("{}") : BodyPublishers.noBody(),
        Map.of());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "chat",
        "tasks",
        "agents:read",
        "agents:write",
        "models:read",
        "models:write",
        "mcp:read",
        "mcp:write",
        "config",
        "admin"
      })
  void a_scope_grants_what_its_row_says_and_nothing_else(String scope) {
    Http client = admin.scoped(scope);

    SCOPES_OF.forEach(
        (operation, scopes) -> {
          Reply reply = call(client, operation);
          if (scope.equals("admin") || scopes.contains(scope)) {
            assertThat(reply.status()).as(operation).isNotIn(401, 403, 405, 429, 500);
          } else {
            assertThat(reply.status()).as(operation).isEqualTo(403);
            reply.isError(403, "forbidden");
            assertThat(scopes)
                .as(operation)
                .allSatisfy(each -> assertThat(reply.message()).contains(each));
          }
        });
  }

  @Test
  void every_request_except_the_public_endpoints_carries_a_bearer_token() {
    SCOPES_OF.forEach(
        (operation, _) -> call(world.anonymous(), operation).isError(401, "unauthorized"));
    world.anonymous().get("/health").json(200);
  }

  @Test
  void the_password_based_auth_login_endpoint_does_not_exist() {
    admin.post("/auth/login", "{'user':'a','password':'b'}").isError(404, "not_found");
  }

  @Test
  void in_local_mode_POST_auth_local_session_mints_a_token_on_demand_for_local_callers_only() {
    String token =
        world.anonymous().post("/auth/local-session").json(200).path("access_token").textValue();
    world.anonymous().as(token).get("/auth/tokens").json(200);

    for (String header : List.of("Forwarded", "X-Forwarded-For", "X-Real-IP", "Via")) {
      world
          .anonymous()
          .call(
              "POST", "/auth/local-session", BodyPublishers.noBody(), Map.of(header, "203.0.113.9"))
          .isError(403, "forbidden");
    }
    world
        .anonymous()
        .call(
            "POST",
            "/auth/local-session",
            BodyPublishers.noBody(),
            Map.of("Origin", "https://example.org"))
        .isError(403, "forbidden");
  }

  @Test
  void an_api_token_has_a_name_and_scopes_and_is_shown_once_with_its_prefix() {
    Reply created = admin.newToken("chat", "tasks");
    JsonNode token = created.json(201);
    Shapes.hasAtLeast(token, "id", "name", "token", "scopes", "created_at");
    String secret = token.path("token").textValue();
    assertThat(secret).matches("ae_[0-9A-Za-z]{36}");
    assertThat(Shapes.texts(token.path("scopes"))).containsExactlyInAnyOrder("chat", "tasks");

    Reply list = admin.get("/auth/tokens");
    JsonNode listed =
        list.json(200)
            .valueStream()
            .filter(each -> each.path("id").equals(token.path("id")))
            .findFirst()
            .orElseThrow();
    Shapes.hasAtLeast(listed, "id", "name", "scopes", "created_at", "last_used_at");
    assertThat(list.text()).doesNotContain(secret);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'scopes':['chat']}",
        "{'name':'t'}",
        "{'name':'t','scopes':[]}",
        "{'name':'t','scopes':['everything']}",
        "{'name':'t','scopes':['chat'],'expires_at':'tomorrow'}"
      })
  void an_api_token_needs_a_name_and_scopes_that_exist(String body) {
    admin.post("/auth/tokens", body).isError(400, "invalid_request");
  }

  @Test
  void revoking_takes_effect_immediately_and_is_written_to_the_audit_log() {
    JsonNode token = admin.newToken("chat").json(201);
    String id = token.path("id").asText();
    Http client = admin.as(token.path("token").textValue());
    client.get("/sessions").json(200);

    admin.delete("/auth/tokens/" + id).empty();

    client.get("/sessions").isError(401, "unauthorized");
    JsonNode acts = admin.get("/audit/events").json(200);
    Shapes.hasExactly(acts, "data", "total", "page", "per_page", "total_pages");
    JsonNode newest = acts.path("data").path(0);
    Shapes.hasExactly(newest, "id", "actor", "action", "target", "details", "created_at");
    assertThat(newest.path("action").textValue()).contains("revoke");
    assertThat(newest.path("target").asText()).contains(id);
  }

  @Test
  void a_key_with_scopes_chat_and_tasks_may_call_chat_and_task_endpoints_but_not_key_management() {
    Http client = admin.scoped("chat", "tasks");

    assertThat(client.ask("help", "[[say Hi]]").json(200).path("response").textValue())
        .isEqualTo("Hi");
    client.post("/tasks", "{'agent':'helper','title':'[[say Hi]]'}").json(201);
    client.get("/auth/tokens").isError(403, "forbidden");
  }

  @Test
  void a_caller_without_admin_sees_and_continues_only_its_own_sessions_and_tasks() {
    Http owner = admin.scoped("chat", "tasks");
    Http other = admin.scoped("chat", "tasks");
    String session = owner.ask("help", "[[say Hi]]").json(200).path("session_id").textValue();
    String task =
        owner
            .post("/tasks", "{'agent':'helper','title':'[[say Hi]]'}")
            .json(201)
            .path("id")
            .textValue();

    owner.get("/sessions/" + session).json(200);
    admin.get("/sessions/" + session).json(200);
    other.get("/sessions/" + session).isError(404, "not_found");
    other.delete("/sessions/" + session).isError(404, "not_found");
    other
        .post("/schemas/help/chat", "{'message':'x','session_id':'%s'}".formatted(session))
        .isError(404, "not_found");
    other.get("/tasks/" + task).isError(404, "not_found");
    assertThat(other.get("/sessions").json(200).path("sessions")).isEmpty();
    assertThat(other.get("/tasks").json(200)).isEmpty();
  }
}
