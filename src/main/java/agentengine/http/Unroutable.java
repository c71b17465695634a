package agentengine.http;

import agentengine.db.Ids;
import agentengine.error.ErrorCode;
import agentengine.json.Json;
import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Gives requests that are too broken to reach a route an error of the usual form. */
final class Unroutable implements DirectHandler {
  private final Ids ids;

  Unroutable(Ids ids) {
    this.ids = ids;
  }

  DirectHandlers forAllEvents() {
    DirectHandlers.Builder handlers = DirectHandlers.builder();
    for (EventType type : EventType.values()) {
      handlers.addHandler(type, this);
    }
    return handlers.build();
  }

  @Override
  public TransportResponse handle(
      TransportRequest request,
      EventType type,
      Status status,
      ServerResponseHeaders headers,
      @Nullable String message) {
    // What fails before there is a path failed on the request line, whoever threw it.
    Status answer =
        status.equals(Status.INTERNAL_SERVER_ERROR_500) && request.path().isEmpty()
            ? Status.BAD_REQUEST_400
            : status;
    headers.set(Dispatcher.REQUEST_ID, ids.next());
    headers.set(HeaderNames.CONTENT_TYPE, "application/json");
    SecurityHeaders.addTo(headers);
    return TransportResponse.builder()
        .status(answer)
        .headers(headers)
        .keepAlive(false)
        .entity(Json.writeBytes(ErrorBody.of(code(answer), text(answer), List.of())))
        .build();
  }

  private static ErrorCode code(Status status) {
    return switch (status.code()) {
      case 404 -> ErrorCode.NOT_FOUND;
      case 413 -> ErrorCode.PAYLOAD_TOO_LARGE;
      case 500 -> ErrorCode.INTERNAL_ERROR;
      case 503 -> ErrorCode.OVERLOADED;
      default -> ErrorCode.INVALID_REQUEST;
    };
  }

  private static String text(Status status) {
    return switch (status.code()) {
      case 413 -> "the body is larger than anything that is taken here";
      case 414 -> "the request line is too long";
      case 500 -> "the engine failed; see its log";
      case 503 -> "the engine has all the requests it can take; try again";
      case 505 -> "only HTTP/1.1 is spoken here";
      default -> "the request is not valid HTTP, or its head is too large";
    };
  }
}
