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
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.RoutingResponse;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.OutputStream;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A request and its answer, as handlers see them. */
final class Exchange {
  private static final int MAX_QUERY_VALUE = 1_000;
  private static final Pattern POSITIVE = Pattern.compile("0*([1-9]\\d*)");

  private final ServerRequest request;
  private final ServerResponse response;
  private final Map<String, String> parameters;
  private final Watchdog watchdog;
  private final RequestBody body;
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
    this.body = new RequestBody(request, watchdog);
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
    return body.json();
  }

  byte[] yamlBody() {
    return body.yaml();
  }

  @Nullable String header(HeaderName name) {
    return request.headers().first(name).orElse(null);
  }

  /** All that is sent under a name, as one value, or null. */
  @Nullable String wholeHeader(HeaderName name) {
    List<String> values = request.headers().all(name, List::of);
    return values.isEmpty() ? null : String.join(", ", values);
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

  /** A whole number of at least 1; one that is out of all range is the largest there is. */
  int positiveQuery(String name, int fallback) {
    String value = query(name);
    if (value == null) {
      return fallback;
    }
    Matcher number = POSITIVE.matcher(value);
    if (!number.matches()) {
      throw EngineException.invalid(name, "must be a whole number of at least 1");
    }
    String digits = number.group(1);
    return digits.length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(digits);
  }

  boolean booleanQuery(String name, boolean fallback) {
    String value = query(name);
    if (value == null) {
      return fallback;
    }
    if (!value.equals("true") && !value.equals("false")) {
      throw EngineException.invalid(name, "must be true or false");
    }
    return value.equals("true");
  }

  void setHeader(String name, String value) {
    response.header(HeaderValues.create(name, value));
  }

  void setHeader(HeaderName name, long value) {
    response.header(HeaderValues.create(name, value));
  }

  void ok(JsonNode body) {
    send(Status.OK_200, body);
  }

  void created(String location, JsonNode body) {
    response.header(HeaderNames.LOCATION, location);
    send(Status.CREATED_201, body);
  }

  void redirect(String location) {
    start(Status.FOUND_302);
    response.header(HeaderNames.LOCATION, location);
    response.send();
  }

  void noContent() {
    start(Status.NO_CONTENT_204);
    response.send();
  }

  void send(Status status, JsonNode body) {
    send(status, "application/json", Json.writeBytes(body));
  }

  void send(Status status, String contentType, byte[] content) {
    start(status);
    response.header(HeaderNames.CONTENT_TYPE, contentType);
    if (isHead()) {
      response.header(HeaderNames.CONTENT_LENGTH, String.valueOf(content.length));
      response.send();
    } else {
      response.send(content);
    }
  }

  private void start(Status status) {
    started = true;
    response.status(status);
    if (body.spoilsConnection()) {
      response.header(HeaderValues.CONNECTION_CLOSE);
    }
  }

  /** Leaves the connection where its next request begins, or closes it. */
  void finish() {
    boolean lastRequest = "close".equalsIgnoreCase(header(HeaderNames.CONNECTION));
    if (!body.discardRest() || lastRequest) {
      // The server would end a streamed answer only after the handler, which the throw prevents.
      if (response instanceof RoutingResponse streamed) {
        streamed.commit();
      }
      throw new CloseConnectionException("no further request on this connection");
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
    start(Status.OK_200);
    response.header(HeaderNames.CONTENT_TYPE, contentType);
    return response.outputStream();
  }

  Watchdog watchdog() {
    return watchdog;
  }
}
