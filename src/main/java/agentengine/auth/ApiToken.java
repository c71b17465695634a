package agentengine.auth;

import java.time.Instant;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is known about an API token; its text is not. */
public record ApiToken(
    String id,
    String name,
    Set<Scope> scopes,
    Instant createdAt,
    @Nullable Instant expiresAt,
    @Nullable Instant lastUsedAt) {
  public ApiToken {
    scopes = Scope.ordered(scopes);
  }
}
