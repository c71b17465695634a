package agentengine.auth;

import agentengine.json.TextRules;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What the claims of a verified token say. They are read here and not by the JWT library, because
 * that one also takes dates and numbers written as texts.
 */
record JwtClaims(Caller caller, Instant expiresAt) {
  private static final int MAX_SUBJECT_LENGTH = 255;
  private static final long LATEST_EXPIRY = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();

  /**
   * Reads the claims.
   *
   * @throws IllegalArgumentException when one that is needed is absent, or one is of a wrong type
   */
  static JwtClaims read(ObjectNode claims, Set<Scope> defaultScopes) {
    if (claims.hasNonNull("nbf")) {
      seconds(claims.get("nbf"));
    }
    Set<Scope> scopes = scopes(claims, defaultScopes);
    return new JwtClaims(
        Caller.ofSubject(subject(claims.path("sub")), scopes), seconds(claims.path("exp")));
  }

  private static Instant seconds(JsonNode claim) {
    // A NumericDate may have a fraction; a range first, so that no value overflows.
    if (!claim.isNumber() || !(claim.doubleValue() >= 0 && claim.doubleValue() <= LATEST_EXPIRY)) {
      throw new IllegalArgumentException("not a number of seconds since 1970");
    }
    return Instant.ofEpochSecond(claim.longValue());
  }

  private static String subject(JsonNode claim) {
    String subject = text(claim);
    if (subject.isBlank()
        || TextRules.problem(subject, MAX_SUBJECT_LENGTH) != null
        || subject.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException("not a subject");
    }
    return subject;
  }

  private static Set<Scope> scopes(ObjectNode claims, Set<Scope> defaultScopes) {
    if (claims.hasNonNull("scope")) {
      return Scope.known(List.of(text(claims.get("scope")).split(" ")));
    }
    if (!claims.hasNonNull("scopes")) {
      return defaultScopes;
    }
    if (!claims.get("scopes").isArray()) {
      throw new IllegalArgumentException("scopes is not an array");
    }
    List<String> names = new ArrayList<>();
    claims.get("scopes").forEach(name -> names.add(text(name)));
    return Scope.known(names);
  }

  private static String text(JsonNode claim) {
    if (!claim.isTextual()) {
      throw new IllegalArgumentException("not a text");
    }
    return claim.textValue();
  }
}
