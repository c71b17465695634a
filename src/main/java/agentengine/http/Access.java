package agentengine.http;

import agentengine.auth.Scope;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Set;

/** Who may use a route. */
sealed interface Access {
  /** Anybody, without a token. */
  record Public() implements Access {}

  /** A caller with one of these scopes. */
  record AnyOf(Set<Scope> scopes) implements Access {}

  Access PUBLIC = new Public();

  /** A caller with one of these scopes, or with admin, which includes them all. */
  static Access scopes(Scope... scopes) {
    Set<Scope> set = new LinkedHashSet<>(Arrays.asList(scopes));
    set.add(Scope.ADMIN);
    return new AnyOf(set);
  }
}
