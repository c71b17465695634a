package agentengine.limit;

import agentengine.json.TextRules;
import agentengine.secret.Sha256;

/** One limit that a request falls under: whose count it is, and what that count may be. */
record Claim(String rule, String key, String tier, Limit limit) {
  private static final int MAX_KEY = 200;

  /** A header's value as a key: a very long one is counted by its hash, to keep memory small. */
  static String key(String value) {
    return value.length() <= MAX_KEY
        ? TextRules.storable(value)
        : "sha256:" + Sha256.hex(TextRules.storable(value));
  }
}
