package agentengine.auth;

import agentengine.json.Json;
import agentengine.secret.Sha256;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.jsonwebtoken.ExpiredJwtException;
import io.jsonwebtoken.JwtParser;
import io.jsonwebtoken.JwtParserBuilder;
import io.jsonwebtoken.Jwts;
import java.nio.charset.StandardCharsets;
import java.security.PublicKey;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Date;
import org.jspecify.annotations.Nullable;

/** Accepts JWTs that are signed with one Ed25519 key, and nothing else that calls itself a JWT. */
public final class JwtVerifier {
  private static final Duration LEEWAY = Duration.ofSeconds(30);
  private static final int REMEMBERED_TOKENS = 10_000;

  private final PublicKey key;
  private final JwtRules rules;
  private final InstantSource clock;
  private final VerifiedTokens verified = new VerifiedTokens(REMEMBERED_TOKENS);
  private volatile @Nullable JwtParser parser;

  public JwtVerifier(PublicKey key, JwtRules rules, InstantSource clock) {
    this.key = key;
    this.rules = rules;
    this.clock = clock;
  }

  /**
   * The caller that a token names.
   *
   * @throws agentengine.error.EngineException UNAUTHORIZED: invalid or expired
   */
  Caller verify(String token) {
    String hash = Sha256.hex(token);
    JwtClaims claims = verified.find(hash);
    if (claims == null) {
      claims = verifySignature(token);
      verified.remember(hash, claims);
    }
    if (clock.instant().isAfter(claims.expiresAt().plus(LEEWAY))) {
      throw Refusal.EXPIRED.exception();
    }
    return claims.caller();
  }

  private JwtClaims verifySignature(String token) {
    try {
      String[] parts = token.split("\\.", -1);
      if (parts.length != 3 || !isPlainHeader(decode(parts[0]))) {
        throw Refusal.INVALID.exception();
      }
      parser().parseSignedClaims(token);
      return JwtClaims.read(decode(parts[1]), rules.defaultScopes());
    } catch (ExpiredJwtException _) {
      // The signature has been checked before the expiry, so this tells a stranger nothing.
      throw Refusal.EXPIRED.exception();
    } catch (RuntimeException _) {
      // Nothing but the token decides here; whatever it makes a parser throw, it is not valid.
      throw Refusal.INVALID.exception();
    }
  }

  /** The header fields that change how a token is read are where forgeries begin: none passes. */
  private static boolean isPlainHeader(ObjectNode header) {
    return header.path("alg").asText().equals("EdDSA")
        && !header.has("crit")
        && !header.has("b64")
        && !header.has("zip");
  }

  private static ObjectNode decode(String part) {
    byte[] utf8 = Base64.getUrlDecoder().decode(part.getBytes(StandardCharsets.US_ASCII));
    return (ObjectNode) Json.parseRequest(utf8);
  }

  /** Built at the first use, because loading the library costs a good part of a start. */
  private JwtParser parser() {
    JwtParser built = parser;
    if (built == null) {
      JwtParserBuilder builder =
          Jwts.parser()
              .sig()
              .clear()
              .add(Jwts.SIG.EdDSA)
              .and()
              .verifyWith(key)
              .clock(() -> Date.from(clock.instant()))
              .clockSkewSeconds(LEEWAY.toSeconds());
      if (rules.issuer() != null) {
        builder.requireIssuer(rules.issuer());
      }
      if (rules.audience() != null) {
        builder.requireAudience(rules.audience());
      }
      built = builder.build();
      parser = built;
    }
    return built;
  }
}
