package agentengine.http;

import agentengine.auth.ApiToken;
import agentengine.auth.ApiTokens;
import agentengine.auth.CreatedToken;
import agentengine.auth.NewToken;
import agentengine.auth.Scope;
import agentengine.json.Fields;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** API tokens; the text of one is shown when it is made, and never again. */
final class TokenRoutes {
  private final ApiTokens tokens;

  TokenRoutes(ApiTokens tokens) {
    this.tokens = tokens;
  }

  List<Route> routes() {
    Access admin = Access.scopes();
    return List.of(
        Route.get("/api/v1/auth/tokens", admin, this::list),
        Route.post("/api/v1/auth/tokens", admin, this::create),
        Route.delete("/api/v1/auth/tokens/{id}", admin, this::revoke));
  }

  private void list(Exchange exchange) {
    ArrayNode list = Json.array();
    for (ApiToken token : tokens.list()) {
      list.add(json(token).put("last_used_at", text(token.lastUsedAt())));
    }
    exchange.ok(list);
  }

  private void create(Exchange exchange) {
    Fields fields = Fields.of(exchange.body());
    String name = fields.requiredString("name", 100);
    Set<Scope> scopes = scopes(fields);
    Instant expiresAt = instant(fields, "expires_at");
    fields.finish();
    CreatedToken created = tokens.create(exchange.caller(), new NewToken(name, scopes, expiresAt));
    exchange.created(
        "/api/v1/auth/tokens/" + created.token().id(),
        json(created.token()).put("token", created.text().reveal()));
  }

  private void revoke(Exchange exchange) {
    tokens.revoke(exchange.caller(), exchange.parameter("id"));
    exchange.noContent();
  }

  private static Set<Scope> scopes(Fields fields) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    List<String> names = fields.strings("scopes", 20, 50);
    if (!fields.has("scopes")) {
      fields.reject("scopes", "is required");
    }
    for (String name : names) {
      Scope scope = Scope.find(name);
      if (scope == null) {
        fields.reject(
            "scopes",
            "'" + name + "' is not a scope; known are " + String.join(", ", Scope.wireNames()));
      } else {
        scopes.add(scope);
      }
    }
    return scopes;
  }

  private static @Nullable Instant instant(Fields fields, String name) {
    String text = fields.string(name, 50);
    if (text == null) {
      return null;
    }
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeParseException _) {
      fields.reject(name, "must be a time like 2030-01-31T12:00:00Z");
      return null;
    }
  }

  private static ObjectNode json(ApiToken token) {
    ObjectNode json = Json.object().put("id", token.id()).put("name", token.name());
    json.set("scopes", Json.array(token.scopes().stream().map(Scope::wireName).toList()));
    json.put("created_at", token.createdAt().toString());
    json.put("expires_at", text(token.expiresAt()));
    return json;
  }

  private static @Nullable String text(@Nullable Instant instant) {
    return instant == null ? null : instant.toString();
  }
}
