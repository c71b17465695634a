package agentengine.http;

import agentengine.auth.Caller;
import agentengine.error.EngineException;
import agentengine.json.Json;
import agentengine.time.Watchdog;
import com.fasterxml.jackson.databind.JsonNode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.Method;
import io.helidon.http.Status;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.OutputStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request and its answer, as handlers see them. */
final class Exchange {
  private static final int MAX_QUERY_VALUE = 1_000;

  private final ServerRequest request;
  private final ServerResponse response;
  private final Map<String, String> parameters;
  private final Watchdog watchdog;
  private @Nullable Caller caller;
  private boolean started;

  Exchange(
      ServerRequest request,
      ServerResponse response,
      Map<String, String> parameters,
      Watchdog watchdog) {
    this.request = request;
    this.response = response;
    this.parameters = parameters;
    this.watchdog = watchdog;
  }

  void identify(Caller authenticated) {
    caller = authenticated;
  }

  /** Who asks; only on routes that are not public. */
  Caller caller() {
    if (caller == null) {
      throw new IllegalStateException("a public route has no caller");
    }
    return caller;
  }

  String parameter(String name) {
    String value = parameters.get(name);
    if (value == null) {
      throw new IllegalStateException("the route has no parameter " + name);
    }
    return value;
  }

  JsonNode body() {
    return RequestBody.json(request, watchdog);
  }

  @Nullable String header(HeaderName name) {
    return request.headers().first(name).orElse(null);
  }

  ServerRequest request() {
    return request;
  }

  @Nullable String query(String name) {
    String value = request.query().first(name).orElse(null);
    if (value != null && (value.length() > MAX_QUERY_VALUE || value.indexOf('\0') >= 0)) {
      throw EngineException.invalid(name, "is too long or holds a NUL character");
    }
    return value == null || value.isEmpty() ? null : value;
  }

  /** A whole number of at least 1. */
  int positiveQuery(String name, int fallback) {
    String value = query(name);
    if (value == null) {
      return fallback;
    }
    if (!value.matches("\\d{1,9}") || Integer.parseInt(value) < 1) {
      throw EngineException.invalid(name, "must be a whole number of at least 1");
    }
    return Integer.parseInt(value);
  }

  void setHeader(String name, String value) {
    response.header(HeaderValues.create(name, value));
  }

  void ok(JsonNode body) {
    send(Status.OK_200, body);
  }

  void created(String location, JsonNode body) {
    response.header(HeaderNames.LOCATION, location);
    send(Status.CREATED_201, body);
  }

  void noContent() {
    started = true;
    response.status(Status.NO_CONTENT_204).send();
  }

  void send(Status status, JsonNode body) {
    send(status, "application/json", Json.writeBytes(body));
  }

  void send(Status status, String contentType, byte[] body) {
    started = true;
    response.status(status);
    response.header(HeaderNames.CONTENT_TYPE, contentType);
    if (isHead()) {
      response.header(HeaderNames.CONTENT_LENGTH, String.valueOf(body.length));
      response.send();
    } else {
      response.send(body);
    }
  }

  /** Whether an answer is on its way, so that no other can be given. */
  boolean isStarted() {
    return started;
  }

  boolean isHead() {
    return request.prologue().method().equals(Method.HEAD);
  }

  /** Begins an answer that is written piece by piece. */
  OutputStream stream(String contentType) {
    started = true;
    response.status(Status.OK_200);
    response.header(HeaderNames.CONTENT_TYPE, contentType);
    return response.outputStream();
  }

  Watchdog watchdog() {
    return watchdog;
  }
}
