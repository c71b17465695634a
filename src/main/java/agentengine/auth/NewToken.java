package agentengine.auth;

import agentengine.error.EngineException;
import agentengine.error.FieldError;
import agentengine.json.TextRules;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What somebody asks for when they create an API token. */
public record NewToken(String name, Set<Scope> scopes, @Nullable Instant expiresAt) {
  private static final int MAX_NAME_LENGTH = 100;
  private static final Instant LATEST_EXPIRY = Instant.parse("9999-12-31T23:59:59Z");

  public NewToken {
    scopes = Scope.ordered(scopes);
    // The store keeps milliseconds; the answer to the creation must already say what is kept.
    expiresAt = expiresAt == null ? null : expiresAt.truncatedTo(ChronoUnit.MILLIS);
  }

  /** Refuses the wish with everything that is wrong with it. */
  void check(Instant now) {
    List<FieldError> errors = new ArrayList<>();
    String nameProblem =
        name.isBlank() ? "must not be blank" : TextRules.problem(name, MAX_NAME_LENGTH);
    if (nameProblem != null) {
      errors.add(new FieldError("name", nameProblem));
    }
    if (scopes.isEmpty()) {
      errors.add(
          new FieldError(
              "scopes", "must name at least one of " + String.join(", ", Scope.wireNames())));
    }
    if (expiresAt != null && !expiresAt.isAfter(now)) {
      errors.add(new FieldError("expires_at", "must be in the future"));
    }
    if (expiresAt != null && expiresAt.isAfter(LATEST_EXPIRY)) {
      errors.add(new FieldError("expires_at", "must be before the year 10000"));
    }
    if (!errors.isEmpty()) {
      throw EngineException.invalid(errors);
    }
  }
}
