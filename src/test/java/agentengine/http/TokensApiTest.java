package agentengine.http;

import static org.assertj.core.api.Assertions.assertThat;

import agentengine.auth.Scope;
import agentengine.json.Json;
import agentengine.testing.Answer;
import agentengine.testing.ApiClient;
import agentengine.testing.TestDatabases;
import agentengine.testing.TestEngine;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource
class TokensApiTest {
  private static final String TOKENS = "/api/v1/auth/tokens";

  private final ApiClient client;
  private final String name = TestEngine.freshName();

  TokensApiTest(TestDatabases.Kind kind) {
    client = TestEngine.shared(kind).admin();
  }

  @Test
  void a_new_token_is_shown_once_and_listed_without_its_secret() {
    Answer answer = client.post(TOKENS, token("tasks", "chat"));

    JsonNode created = answer.expect(201);
    String id = created.path("id").textValue();
    assertThat(answer.header("Location")).isEqualTo(TOKENS + "/" + id);
    assertThat(created.path("name").textValue()).isEqualTo(name);
    assertThat(created.path("expires_at").isNull()).isTrue();
    JsonNode listed = listed(id);
    assertThat(listed.path("name").textValue()).isEqualTo(name);
    assertThat(listed.path("scopes")).isEqualTo(Json.array(List.of("chat", "tasks")));
    assertThat(listed.path("created_at")).isEqualTo(created.path("created_at"));
    assertThat(client.get(TOKENS).text()).doesNotContain(created.path("token").textValue());
  }

  @Test
  void a_token_can_be_told_from_a_similar_text_by_its_checksum() {
    String text = client.post(TOKENS, token("chat")).expect(201).path("token").textValue();
    CRC32 crc = new CRC32();
    crc.update(text.substring(3, 33).getBytes(StandardCharsets.US_ASCII));
    String alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    StringBuilder checksum = new StringBuilder();
    for (long rest = crc.getValue(); checksum.length() < 6; rest /= 62) {
      checksum.insert(0, alphabet.charAt((int) (rest % 62)));
    }

    assertThat(text).hasSize(39).startsWith("ae_").endsWith(checksum);
  }

  @Test
  void the_list_says_when_a_token_was_last_used() {
    JsonNode created = client.post(TOKENS, token("chat")).expect(201);
    String id = created.path("id").textValue();
    assertThat(listed(id).path("last_used_at").isNull()).isTrue();

    client.with(created.path("token").textValue()).get("/api/v1/schemas").expect(200);

    assertThat(listed(id).path("last_used_at").textValue())
        .isGreaterThanOrEqualTo(created.path("created_at").textValue());
  }

  @Test
  void a_revoked_token_is_gone_at_once_and_for_good() {
    JsonNode created = client.post(TOKENS, token("chat")).expect(201);
    ApiClient holder = client.with(created.path("token").textValue());
    String path = TOKENS + "/" + created.path("id").textValue();
    assertThat(holder.get("/api/v1/schemas").status()).isEqualTo(200);

    client.delete(path).expect(204);

    assertThat(holder.get("/api/v1/schemas").error(401)).isEqualTo("unauthorized");
    assertThat(client.delete(path).error(404)).isEqualTo("not_found");
    assertThat(client.get(TOKENS).expect(200).findValuesAsText("id"))
        .doesNotContain(created.path("id").textValue());
  }

  @Test
  void a_token_can_have_every_scope_and_a_name_in_any_language() {
    ObjectNode body = token(Scope.wireNames().toArray(String[]::new));

    JsonNode created = client.post(TOKENS, body.put("name", "Für Zoë 🎉 店")).expect(201);

    assertThat(created.path("scopes")).isEqualTo(Json.array(Scope.wireNames()));
    assertThat(listed(created.path("id").textValue()).path("name").textValue())
        .isEqualTo("Für Zoë 🎉 店");
  }

  @Test
  void an_expiry_is_kept_in_utc() {
    JsonNode created =
        client
            .post(TOKENS, token("chat").put("expires_at", "2999-01-31T12:00:00.123456+02:00"))
            .expect(201);

    assertThat(created.path("expires_at").textValue()).isEqualTo("2999-01-31T10:00:00.123Z");
    assertThat(listed(created.path("id").textValue()).path("expires_at"))
        .isEqualTo(created.path("expires_at"));
  }

  @Test
  void what_cannot_be_a_token_is_refused_with_the_names_of_the_fields() {
    assertRefused(Json.object(), "name", "scopes");
    assertRefused(token("chat").put("name", " "), "name");
    assertRefused(token("chat").put("name", "x".repeat(101)), "name");
    assertRefused(token(), "scopes");
    assertRefused(token("chat", "root"), "scopes");
    assertRefused(token("Chat"), "scopes");
    for (String time :
        List.of("2020-01-31T12:00:00Z", "2999-01-31", "2999-01-31T12:00:00", "tomorrow", "")) {
      assertRefused(token("chat").put("expires_at", time), "expires_at");
    }
    assertRefused(token("chat").put("expires_at", "+12345-01-31T12:00:00Z"), "expires_at");
    assertThat(client.post(TOKENS, token("chat", "root")).text()).contains("agents:read");
  }

  @Test
  void making_and_revoking_a_token_is_in_the_audit_log_without_the_secret() {
    JsonNode created = client.post(TOKENS, token("chat")).expect(201);
    String id = created.path("id").textValue();
    client.delete(TOKENS + "/" + id).expect(204);

    List<JsonNode> events = AuditLog.of(client, id);
    assertThat(events)
        .extracting(event -> event.path("action").textValue())
        .containsExactly("token.revoked", "token.created");
    assertThat(events)
        .allSatisfy(event -> assertThat(event.path("actor").textValue()).isEqualTo("local-admin"))
        .allSatisfy(event -> assertThat(event.at("/details/name").textValue()).isEqualTo(name))
        .noneSatisfy(
            event -> assertThat(event.toString()).contains(created.path("token").textValue()));
  }

  private void assertRefused(ObjectNode body, String... fields) {
    JsonNode refusal = client.post(TOKENS, body).expect(400);
    assertThat(refusal.path("details").findValuesAsText("field"))
        .as(body.toString())
        .containsExactly(fields);
  }

  private JsonNode listed(String id) {
    for (JsonNode token : client.get(TOKENS).expect(200)) {
      if (token.path("id").textValue().equals(id)) {
        return token;
      }
    }
    throw new AssertionError("no token " + id + " in the list");
  }

  private ObjectNode token(String... scopes) {
    ObjectNode body = Json.object().put("name", name);
    body.set("scopes", Json.array(List.of(scopes)));
    return body;
  }
}
