package agentengine.error;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A failure with a code and a message that a caller may see: what is wrong and how to mend it. */
public final class EngineException extends RuntimeException {
  private final ErrorCode code;
  private final List<FieldError> details;

  public EngineException(ErrorCode code, String message) {
    this(code, message, List.of(), null);
  }

  public EngineException(ErrorCode code, String message, @Nullable Throwable cause) {
    this(code, message, List.of(), cause);
  }

  private EngineException(
      ErrorCode code, String message, List<FieldError> details, @Nullable Throwable cause) {
    super(message, cause);
    this.code = code;
    this.details = List.copyOf(details);
  }

  /** A validation failure that names every field at once. */
  public static EngineException invalid(List<FieldError> details) {
    FieldError first = details.getFirst();
    String more = details.size() == 1 ? "" : " (and " + (details.size() - 1) + " more)";
    String where = first.field().isEmpty() ? "" : first.field() + ": ";
    return new EngineException(
        ErrorCode.INVALID_REQUEST, where + first.message() + more, details, null);
  }

  public static EngineException invalid(String field, String message) {
    return invalid(List.of(new FieldError(field, message)));
  }

  /** The request as a whole cannot be read. */
  public static EngineException badRequest(String message) {
    return new EngineException(ErrorCode.INVALID_REQUEST, message);
  }

  public static EngineException notFound(String what, String name) {
    return new EngineException(ErrorCode.NOT_FOUND, what + " '" + name + "' does not exist");
  }

  public static EngineException conflict(String message) {
    return new EngineException(ErrorCode.CONFLICT, message);
  }

  public ErrorCode code() {
    return code;
  }

  public List<FieldError> details() {
    return details;
  }

  /** Never null, unlike a throwable's in general. */
  public String reason() {
    String message = getMessage();
    return message == null ? code.wireName() : message;
  }
}
