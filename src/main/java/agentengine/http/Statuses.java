package agentengine.http;

import agentengine.error.ErrorCode;
import io.helidon.http.Status;

/** Which HTTP status each failure has. */
final class Statuses {
  private Statuses() {}

  static Status of(ErrorCode code) {
    return switch (code) {
      case INVALID_REQUEST -> Status.BAD_REQUEST_400;
      case UNAUTHORIZED -> Status.UNAUTHORIZED_401;
      case FORBIDDEN, CHAT_DISABLED, MODEL_OVERRIDE_DISABLED -> Status.FORBIDDEN_403;
      case NOT_FOUND -> Status.NOT_FOUND_404;
      case METHOD_NOT_ALLOWED -> Status.METHOD_NOT_ALLOWED_405;
      case CONFLICT, SESSION_BUSY -> Status.CONFLICT_409;
      case PAYLOAD_TOO_LARGE -> Status.REQUEST_ENTITY_TOO_LARGE_413;
      case UNSUPPORTED_MEDIA_TYPE -> Status.UNSUPPORTED_MEDIA_TYPE_415;
      case RATE_LIMITED -> Status.TOO_MANY_REQUESTS_429;
      case INTERNAL_ERROR -> Status.INTERNAL_SERVER_ERROR_500;
      case OVERLOADED -> Status.SERVICE_UNAVAILABLE_503;
      case MODEL_ERROR -> Status.BAD_GATEWAY_502;
      case MODEL_TIMEOUT -> Status.GATEWAY_TIMEOUT_504;
      case CONTEXT_OVERFLOW, MAX_STEPS, BUDGET_EXCEEDED, CANCELLED ->
          Status.create(422, "Unprocessable Content");
    };
  }
}
