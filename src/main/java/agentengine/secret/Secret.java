package agentengine.secret;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A text that must not be shown: printing it, by accident or not, gives three stars. */
public final class Secret {
  private final String value;

  public Secret(String value) {
    this.value = value;
  }

  /** The text itself; call it only where it leaves for the party it is meant for. */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret
        && MessageDigest.isEqual(
            value.getBytes(StandardCharsets.UTF_8), secret.value.getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return "***";
  }
}
