package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.auth.Scope;
import agentengine.config.Variable;
import agentengine.http.ApiDocument.Operation;
import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what, on an engine whose JWTs come from elsewhere. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AccessTest {
  private static final KeyPair KEYS = Jwt.keys();
  private static final List<Operation> GUARDED =
      ApiDocument.operations().stream().filter(operation -> !operation.isPublic()).toList();

  private final TestEngine engine;
  private final ApiClient nobody;
  private final ApiClient admin;

  AccessTest(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("public.pem"), Jwt.pem(KEYS));
    engine =
        TestEngine.start(
            TestDatabases.Kind.SQLITE,
            options -> {
              options.put(Variable.AUTH_MODE, "external");
              options.put(Variable.JWT_PUBLIC_KEY, file.toString());
            });
    nobody = engine.anonymous();
    admin = nobody.with(Jwt.good(KEYS, "admin"));
  }

  @AfterAll
  void stop() {
    engine.close();
  }

  @Test
  void without_a_token_nothing_is_possible_that_is_not_public() {
    assertThat(GUARDED).hasSizeGreaterThan(20);
    for (Operation operation : GUARDED) {
      assertUnauthorized(call(nobody, operation), "missing");
    }
  }

  @Test
  void a_token_that_is_none_opens_nothing() {
    for (Operation operation : GUARDED) {
      assertUnauthorized(call(nobody.with("garbage"), operation), "invalid");
    }
  }

  @Test
  void of_a_refused_token_no_more_is_told_than_what_its_holder_knows() {
    String other = Jwt.good(Jwt.keys(), "admin");
    String[] parts = Jwt.good(KEYS, "chat").split("\\.", -1);
    String[] otherParts = Jwt.good(KEYS, "admin").split("\\.", -1);
    assertUnauthorized(get("Bearer"), "missing");
    assertUnauthorized(get("Basic YWRtaW46YWRtaW4="), "missing");
    assertUnauthorized(get("admin"), "missing");
    for (String token :
        List.of(
            "a.b.c",
            "..",
            "ae_",
            "ae_" + "0".repeat(36),
            "ae_" + "0".repeat(5_000),
            other,
            Jwt.unsigned(),
            Jwt.unending(KEYS),
            Jwt.nobodys(KEYS),
            parts[0] + "." + otherParts[1] + "." + parts[2],
            parts[0] + "." + parts[1] + ".")) {
      assertUnauthorized(get("Bearer " + token), "invalid");
    }
    assertUnauthorized(get("Bearer " + Jwt.expired(KEYS)), "expired");
  }

  @Test
  void a_scope_that_does_not_suffice_is_refused_with_the_names_of_those_that_do() {
    for (Operation operation : GUARDED) {
      for (String scope : Scope.wireNames()) {
        if (!operation.scopes().contains(scope)) {
          Answer answer = call(nobody.with(Jwt.good(KEYS, scope)), operation);
          JsonNode body = answer.expect(403);
          assertThat(body.path("error").textValue()).isEqualTo("forbidden");
          assertThat(body.path("message").textValue())
              .as(operation + " with " + scope)
              .contains(operation.scopes());
        }
      }
      assertThat(call(nobody.with(Jwt.good(KEYS, "")), operation).status()).isEqualTo(403);
      assertThat(call(nobody.with(Jwt.good(KEYS, "Admin root")), operation).status())
          .isEqualTo(403);
    }
  }

  @Test
  void each_scope_that_suffices_is_let_in() {
    for (Operation operation : GUARDED) {
      for (String scope : operation.scopes()) {
        assertThat(call(nobody.with(Jwt.good(KEYS, scope)), operation).status())
            .as(operation + " with " + scope)
            .isNotIn(401, 403);
      }
      assertThat(call(nobody.with(Jwt.good(KEYS, "unknown admin chat")), operation).status())
          .isNotIn(401, 403);
    }
  }

  @Test
  void what_is_public_takes_no_notice_of_a_token() {
    for (Operation operation : ApiDocument.operations()) {
      if (operation.isPublic() && operation.method().equals("GET")) {
        assertThat(call(nobody, operation).status()).as(operation.toString()).isNotIn(401, 403);
        assertThat(call(nobody.with("garbage"), operation).status())
            .as(operation.toString())
            .isNotIn(401, 403);
      }
    }
  }

  @Test
  void an_api_token_has_its_scopes_until_it_is_revoked() {
    var body = Json.object().put("name", "for reading agents");
    body.putArray("scopes").add("agents:read");
    JsonNode created = admin.post("/api/v1/auth/tokens", body).expect(201);
    ApiClient reader = nobody.with(created.path("token").textValue());

    assertThat(reader.get("/api/v1/agents").status()).isEqualTo(200);
    assertThat(reader.get("/api/v1/models").error(403)).isEqualTo("forbidden");
    assertThat(reader.delete("/api/v1/agents/helper").error(403)).isEqualTo("forbidden");
    admin.delete("/api/v1/auth/tokens/" + created.path("id").textValue()).expect(204);
    assertUnauthorized(reader.get("/api/v1/agents"), "revoked");
    assertUnauthorized(reader.get("/api/v1/models"), "revoked");
  }

  @Test
  void what_is_not_there_is_told_only_to_those_with_a_token() {
    for (String path : List.of("/api/v1/nothing", "/api/v1/", "/api/v1/agents/", "/api/v2/x")) {
      assertUnauthorized(nobody.get(path), "missing");
      assertUnauthorized(nobody.with("garbage").get(path), "invalid");
      assertThat(nobody.with(Jwt.good(KEYS, "chat")).get(path).error(404)).isEqualTo("not_found");
    }
    assertUnauthorized(nobody.send("PATCH", "/api/v1/agents", null, Map.of()), "missing");
    assertThat(admin.send("PATCH", "/api/v1/agents", null, Map.of()).error(405))
        .isEqualTo("method_not_allowed");
    assertThat(nobody.get("/nothing").error(404)).isEqualTo("not_found");
  }

  @Test
  void an_engine_whose_tokens_come_from_elsewhere_gives_out_no_local_session() {
    assertThat(nobody.post("/api/v1/auth/local-session", null).error(404)).isEqualTo("not_found");
  }

  private Answer get(String authorization) {
    return nobody.send("GET", "/api/v1/agents", null, Map.of("Authorization", authorization));
  }

  private static Answer call(ApiClient client, Operation operation) {
    return client.send(operation.method(), operation.path("nothing"), null, Map.of());
  }

  private static void assertUnauthorized(Answer answer, String why) {
    assertThat(answer.error(401)).isEqualTo("unauthorized");
    assertThat(answer.json().path("message").textValue()).contains(why);
    assertThat(answer.header("WWW-Authenticate")).isEqualTo("Bearer");
  }
}
