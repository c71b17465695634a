package agentengine.http;

import agentengine.error.ErrorCode;
import agentengine.error.FieldError;
import agentengine.json.Json;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** The body of every error. */
final class ErrorBody {
  private ErrorBody() {}

  static ObjectNode of(ErrorCode code, String message, List<FieldError> details) {
    ObjectNode body = Json.object();
    body.put("error", code.wireName());
    body.put("message", message);
    if (!details.isEmpty()) {
      ArrayNode list = body.putArray("details");
      for (FieldError detail : details) {
        list.addObject().put("field", detail.field()).put("message", detail.message());
      }
    }
    return body;
  }
}
