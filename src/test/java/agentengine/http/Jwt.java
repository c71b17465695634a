package agentengine.http;

import io.jsonwebtoken.JwtBuilder;
import io.jsonwebtoken.Jwts;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;

/** Makes tokens as an identity provider would, good ones and others. */
final class Jwt {
  private Jwt() {}

  static KeyPair keys() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  static String pem(KeyPair keys) {
    return "-----BEGIN PUBLIC KEY-----\n"
        + Base64.getMimeEncoder().encodeToString(keys.getPublic().getEncoded())
        + "\n-----END PUBLIC KEY-----\n";
  }

  static String good(KeyPair keys, String scope) {
    return sign(keys, claims().claim("scope", scope).expiration(in(Duration.ofHours(1))));
  }

  static String expired(KeyPair keys) {
    return sign(keys, claims().claim("scope", "admin").expiration(in(Duration.ofHours(-1))));
  }

  static String unending(KeyPair keys) {
    return sign(keys, claims().claim("scope", "admin"));
  }

  static String nobodys(KeyPair keys) {
    return sign(keys, Jwts.builder().claim("scope", "admin").expiration(in(Duration.ofHours(1))));
  }

  static String unsigned() {
    return claims().claim("scope", "admin").expiration(in(Duration.ofHours(1))).compact();
  }

  private static JwtBuilder claims() {
    return Jwts.builder().subject("somebody");
  }

  private static Date in(Duration time) {
    return Date.from(Instant.now().plus(time));
  }

  private static String sign(KeyPair keys, JwtBuilder claims) {
    return claims.signWith(keys.getPrivate(), Jwts.SIG.EdDSA).compact();
  }
}
