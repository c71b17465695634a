package agentengine.session;

import java.util.Locale;

/** Whether a session's turn is under way. */
public enum SessionStatus {
  IDLE,
  RUNNING,
  WAITING;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static SessionStatus ofWireName(String name) {
    return valueOf(name.toUpperCase(Locale.ROOT));
  }
}
