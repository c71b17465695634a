package agentengine.auth;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Turns the Authorization header of a request into its caller, or refuses it. */
public final class Authenticator {
  private static final int MAX_HEADER_LENGTH = 8 * 1024;
  private static final Pattern BEARER = Pattern.compile("(?i:Bearer) +(\\S.*)");

  private final ApiTokens apiTokens;
  private final JwtVerifier jwts;

  public Authenticator(ApiTokens apiTokens, JwtVerifier jwts) {
    this.apiTokens = apiTokens;
    this.jwts = jwts;
  }

  /**
   * The caller that the header's token stands for.
   *
   * @throws agentengine.error.EngineException UNAUTHORIZED: missing, invalid, expired or revoked
   */
  public Caller authenticate(@Nullable String authorizationHeader) {
    String token = token(authorizationHeader);
    return TokenText.hasPrefix(token) ? apiTokens.authenticate(token) : jwts.verify(token);
  }

  private static String token(@Nullable String header) {
    if (header == null) {
      throw Refusal.MISSING.exception();
    }
    if (header.length() > MAX_HEADER_LENGTH) {
      throw Refusal.INVALID.exception();
    }
    Matcher bearer = BEARER.matcher(header.strip());
    if (!bearer.matches()) {
      throw Refusal.MISSING.exception();
    }
    return bearer.group(1);
  }
}
