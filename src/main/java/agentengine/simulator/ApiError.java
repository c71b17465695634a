package agentengine.simulator;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** An error in OpenAI's shape. */
record ApiError(int status, @Nullable String code, String message) {

  static ApiError badRequest(String message) {
    return new ApiError(400, null, message);
  }

  ObjectNode toJson() {
    ObjectNode json = Json.object();
    json.putObject("error")
        .put("message", message)
        .put("type", type())
        .putNull("param")
        .put("code", code == null ? usualCode() : code);
    return json;
  }

  private String type() {
    return switch (status) {
      case 401, 403 -> "authentication_error";
      case 429 -> "rate_limit_error";
      default -> status < 500 ? "invalid_request_error" : "server_error";
    };
  }

  private @Nullable String usualCode() {
    return switch (status) {
      case 401 -> "invalid_api_key";
      case 404 -> "not_found";
      case 429 -> "rate_limit_exceeded";
      default -> null;
    };
  }
}
