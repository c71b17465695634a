package agentengine.auth;

import java.util.Set;

/**
 * Who calls, and what they may do.
 *
 * @param id owns what the caller makes and names the caller in the audit log: {@code token:<token
 *     id>} for an API token, the {@code sub} of a JWT, {@code engine:<occasion>} for the engine
 */
public record Caller(String id, Set<Scope> scopes) {
  private static final String TOKEN = "token:";
  private static final String USER = "user:";
  private static final String ENGINE = "engine:";

  /** The engine itself, for what it does by its environment or configuration when it starts. */
  public static final Caller ENGINE_START = new Caller(ENGINE + "start", Set.of(Scope.ADMIN));

  public Caller {
    scopes = Scope.ordered(scopes);
  }

  static Caller ofToken(String tokenId, Set<Scope> scopes) {
    return new Caller(TOKEN + tokenId, scopes);
  }

  /**
   * The caller that a JWT names. A subject that looks like an id of ours is marked, so that no
   * subject, whatever an identity provider lets people choose, is ever another caller's id.
   */
  static Caller ofSubject(String subject, Set<Scope> scopes) {
    boolean ambiguous =
        subject.startsWith(TOKEN) || subject.startsWith(USER) || subject.startsWith(ENGINE);
    return new Caller(ambiguous ? USER + subject : subject, scopes);
  }

  public boolean has(Scope scope) {
    return scopes.contains(scope) || isAdmin();
  }

  public boolean isAdmin() {
    return scopes.contains(Scope.ADMIN);
  }

  /** Whether the caller came with an API token and not with a JWT. */
  public boolean isApiToken() {
    return id.startsWith(TOKEN);
  }
}
