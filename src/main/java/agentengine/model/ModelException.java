package agentengine.model;

import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A model call that failed, for a reason that a user may read. */
public final class ModelException extends RuntimeException {
  /** What failed, and with it whether asking again may help. */
  public enum Kind {
    /** No connection, or it broke. */
    CONNECTION(true),
    /** The provider is busy or broken: 408, 429, 5xx. */
    UNAVAILABLE(true),
    /** The provider did not start, or did not go on, in time. */
    TIMEOUT(true),
    /** The provider refuses this request: 400, 401, 403, 404. */
    REFUSED(false),
    /** The provider's answer is not one. */
    MALFORMED(false),
    /** The caller asked for the end. */
    CANCELLED(false);

    private final boolean retriable;

    Kind(boolean retriable) {
      this.retriable = retriable;
    }

    String wireName() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  private final Kind kind;
  private final @Nullable Duration retryAfter;

  public ModelException(Kind kind, String message) {
    this(kind, message, null, null);
  }

  public ModelException(
      Kind kind, String message, @Nullable Duration retryAfter, @Nullable Throwable cause) {
    super(message, cause);
    this.kind = kind;
    this.retryAfter = retryAfter;
  }

  public Kind kind() {
    return kind;
  }

  public boolean retriable() {
    return kind.retriable;
  }

  /** How long the provider asked to be left alone, or null. */
  public @Nullable Duration retryAfter() {
    return retryAfter;
  }

  /** Never null, unlike a throwable's in general. */
  public String reason() {
    String message = getMessage();
    return message == null ? kind.name() : message;
  }
}
