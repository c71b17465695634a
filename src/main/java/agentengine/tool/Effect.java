package agentengine.tool;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** What calling a tool does to the world, and so whether it may be called again after a crash. */
public enum Effect {
  /** It changes nothing. */
  READ_ONLY,
  /** Calling it twice with the same idempotency key is calling it once. */
  IDEMPOTENT,
  /** Every call counts. */
  UNSAFE;

  public boolean mayRunAgain() {
    return this != UNSAFE;
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static List<String> wireNames() {
    return Stream.of(values()).map(Effect::wireName).toList();
  }

  public static Effect ofWireName(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
