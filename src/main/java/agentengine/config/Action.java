package agentengine.config;

import java.util.Locale;

/** What applying an entry of a document does to the store. */
public enum Action {
  CREATE,
  UPDATE,
  UNCHANGED;

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
