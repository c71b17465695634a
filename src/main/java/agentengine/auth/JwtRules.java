package agentengine.auth;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of a JWT besides its signature, subject and expiry.
 *
 * @param issuer who must have issued it, or null for anybody with the key
 * @param audience whom it must be meant for, or null for anybody
 * @param defaultScopes what a token without any claim about scopes allows
 */
public record JwtRules(
    @Nullable String issuer, @Nullable String audience, Set<Scope> defaultScopes) {
  /** Nothing more is asked: the rules of local mode, whose tokens are our own. */
  public static final JwtRules NONE = new JwtRules(null, null, Set.of());

  public JwtRules {
    defaultScopes = Scope.ordered(defaultScopes);
  }
}
