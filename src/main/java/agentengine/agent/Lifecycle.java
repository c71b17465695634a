package agentengine.agent;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Whether an agent, called as a sub-agent, remembers the earlier calls of its session. */
public enum Lifecycle {
  PERSISTENT,
  SPAWN;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static Lifecycle ofWireName(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }

  public static List<String> wireNames() {
    return Arrays.stream(values()).map(Lifecycle::wireName).toList();
  }
}
