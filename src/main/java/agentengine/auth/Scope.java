package agentengine.auth;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a token allows; {@link #ADMIN} allows everything. */
public enum Scope {
  CHAT("chat"),
  TASKS("tasks"),
  AGENTS_READ("agents:read"),
  AGENTS_WRITE("agents:write"),
  MODELS_READ("models:read"),
  MODELS_WRITE("models:write"),
  MCP_READ("mcp:read"),
  MCP_WRITE("mcp:write"),
  CONFIG("config"),
  ADMIN("admin");

  private static final Map<String, Scope> BY_WIRE_NAME =
      Arrays.stream(values())
          .collect(Collectors.toUnmodifiableMap(Scope::wireName, Function.identity()));

  private final String wireName;

  Scope(String wireName) {
    this.wireName = wireName;
  }

  /** The name in tokens and in the API. */
  public String wireName() {
    return wireName;
  }

  /** The scope of that name, or null when there is none. */
  public static @Nullable Scope find(String wireName) {
    return BY_WIRE_NAME.get(wireName);
  }

  /** All names, in the order of the documentation. */
  public static List<String> wireNames() {
    return wireNames(List.of(values()));
  }

  static List<String> wireNames(Collection<Scope> scopes) {
    return scopes.stream().map(Scope::wireName).toList();
  }

  /** The scopes that these names stand for; names of no scope are left out. */
  static Set<Scope> known(Collection<String> wireNames) {
    Set<Scope> scopes = EnumSet.noneOf(Scope.class);
    for (String name : wireNames) {
      Scope scope = find(name);
      if (scope != null) {
        scopes.add(scope);
      }
    }
    return Collections.unmodifiableSet(scopes);
  }

  /** The same scopes in their documented order, unchangeable. */
  static Set<Scope> ordered(Collection<Scope> scopes) {
    Set<Scope> ordered = EnumSet.noneOf(Scope.class);
    ordered.addAll(scopes);
    return Collections.unmodifiableSet(ordered);
  }
}
