package agentengine.auth;

import agentengine.secret.Secret;
import io.jsonwebtoken.Jwts;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Date;

/** Makes the short-lived admin tokens of local mode. */
public final class LocalSession {
  private final PrivateKey key;
  private final Duration timeToLive;
  private final InstantSource clock;

  public LocalSession(PrivateKey key, Duration timeToLive, InstantSource clock) {
    if (timeToLive.compareTo(Duration.ofSeconds(1)) < 0) {
      throw new IllegalArgumentException("a local session must live for at least 1s");
    }
    this.key = key;
    this.timeToLive = timeToLive;
    this.clock = clock;
  }

  /** A minted token and the instant up to which it is good. */
  public record Minted(Secret accessToken, Instant expiresAt) {}

  /** Mints a token for whoever {@link LocalOnly} has let through. */
  public Minted mint() {
    Instant now = clock.instant();
    // A JWT counts whole seconds; what we announce must be what the token says.
    Instant expiresAt = now.plus(timeToLive).truncatedTo(ChronoUnit.SECONDS);
    String token =
        Jwts.builder()
            .subject("local-admin")
            .claim("scope", Scope.ADMIN.wireName())
            .issuedAt(Date.from(now))
            .expiration(Date.from(expiresAt))
            .signWith(key, Jwts.SIG.EdDSA)
            .compact();
    return new Minted(new Secret(token), expiresAt);
  }
}
