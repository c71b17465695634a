package agentengine.cli;

import agentengine.auth.ApiToken;
import agentengine.auth.Scope;
import agentengine.secret.Secret;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be shown of an API token; scopes are texts, for an engine may know more than we do. */
record TokenInfo(
    String id,
    String name,
    List<String> scopes,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant lastUsedAt) {

  /** A token just made, with the text that is shown only now. */
  record Created(TokenInfo info, Secret text) {}

  static TokenInfo of(ApiToken token) {
    return new TokenInfo(
        token.id(),
        token.name(),
        token.scopes().stream().map(Scope::wireName).toList(),
        token.createdAt(),
        token.expiresAt(),
        token.lastUsedAt());
  }

  static TokenInfo of(JsonNode token) {
    List<String> scopes = new ArrayList<>();
    token.path("scopes").forEach(scope -> scopes.add(scope.asText()));
    return new TokenInfo(
        token.path("id").asText(),
        token.path("name").asText(),
        scopes,
        Instant.parse(token.path("created_at").asText()),
        instant(token.path("expires_at")),
        instant(token.path("last_used_at")));
  }

  private static @Nullable Instant instant(JsonNode time) {
    return time.isTextual() ? Instant.parse(time.asText()) : null;
  }
}
