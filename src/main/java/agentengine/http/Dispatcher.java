package agentengine.http;

import agentengine.auth.Authenticator;
import agentengine.auth.Caller;
import agentengine.auth.Scope;
import agentengine.db.Ids;
import agentengine.db.StoreUnavailable;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.log.LogContext;
import agentengine.time.Watchdog;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.http.Method;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Takes every request: gives it an id, finds its route, checks its caller and its limits, maps its
 * failure.
 */
final class Dispatcher implements Handler {
  private static final Logger LOG = System.getLogger(Dispatcher.class.getName());
  static final HeaderName REQUEST_ID = HeaderNames.create("X-Request-Id");
  private static final Pattern SAFE_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
  private static final String API = "/api/";

  private final RouteTable table;
  private final Authenticator authenticator;
  private final LimitedRequests limits;
  private final Cors cors;
  private final RequestMetrics metrics;
  private final Watchdog watchdog;
  private final Ids ids;

  Dispatcher(
      RouteTable table,
      Authenticator authenticator,
      LimitedRequests limits,
      Cors cors,
      RequestMetrics metrics,
      Watchdog watchdog,
      Ids ids) {
    this.table = table;
    this.authenticator = authenticator;
    this.limits = limits;
    this.cors = cors;
    this.metrics = metrics;
    this.watchdog = watchdog;
    this.ids = ids;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    String id =
        request
            .headers()
            .first(REQUEST_ID)
            .filter(sent -> SAFE_ID.matcher(sent).matches())
            .orElseGet(ids::next);
    LogContext.run(id, () -> handle(request, response, id));
  }

  private void handle(ServerRequest request, ServerResponse response, String id) {
    long start = System.nanoTime();
    Method method = request.prologue().method();
    RouteTable.Match match = table.match(method, PathSegments.of(request));
    response.header(REQUEST_ID, id);
    SecurityHeaders.addTo(response.headers());
    cors.addTo(request, response);
    Map<String, String> parameters =
        match instanceof RouteTable.Match.Found(var _, var found) ? found : Map.of();
    Exchange exchange = new Exchange(request, response, parameters, watchdog);
    try {
      answer(exchange, match);
    } catch (EngineException e) {
      refuse(exchange, e);
    } catch (StoreUnavailable e) {
      LOG.log(Level.ERROR, "the store failed", e);
      refuse(exchange, new EngineException(ErrorCode.OVERLOADED, e.reason()));
    } catch (CloseConnectionException e) {
      throw e;
    } catch (Exception e) {
      fail(exchange, id, e);
    } finally {
      metrics.count(method, match, response.status(), System.nanoTime() - start);
    }
    exchange.finish();
  }

  private void answer(Exchange exchange, RouteTable.Match match) throws Exception {
    ServerRequest request = exchange.request();
    if (request.prologue().method().equals(Method.OPTIONS)) {
      exchange.setHeader(
          "Allow", match instanceof RouteTable.Match.OtherMethod(String allow) ? allow : "OPTIONS");
      exchange.noContent();
      return;
    }
    switch (match) {
      case RouteTable.Match.Found(Route route, var _) -> {
        admit(exchange, route.access());
        route.handler().handle(exchange);
      }
      case RouteTable.Match.OtherMethod(String allow) -> {
        authenticateApi(exchange);
        exchange.setHeader("Allow", allow);
        throw new EngineException(
            ErrorCode.METHOD_NOT_ALLOWED,
            request.prologue().method().text() + " is not possible here; " + allow + " are");
      }
      case RouteTable.Match.Nothing() -> {
        authenticateApi(exchange);
        throw new EngineException(ErrorCode.NOT_FOUND, "there is nothing at this path");
      }
    }
  }

  /** What is and is not there under the API is only told to those with a token. */
  private void authenticateApi(Exchange exchange) {
    if (exchange.request().prologue().uriPath().rawPath().startsWith(API)) {
      Caller _ = authenticate(exchange);
    }
  }

  /** Every request whose caller is known counts, whatever becomes of it then. */
  private Caller authenticate(Exchange exchange) {
    Caller caller = authenticator.authenticate(exchange.header(HeaderNames.AUTHORIZATION));
    limits.admit(exchange, caller);
    return caller;
  }

  private void admit(Exchange exchange, Access access) {
    switch (access) {
      case Access.Public() -> {}
      case Access.AnyOf(var scopes) -> {
        Caller caller = authenticate(exchange);
        if (scopes.stream().noneMatch(caller::has)) {
          throw new EngineException(
              ErrorCode.FORBIDDEN,
              "the token lacks the scope "
                  + scopes.stream().map(Scope::wireName).collect(Collectors.joining(" or ")));
        }
        exchange.identify(caller);
      }
    }
  }

  private static void refuse(Exchange exchange, EngineException e) {
    if (exchange.isStarted()) {
      throw new CloseConnectionException("a failure after the answer had begun", e);
    }
    if (e.code() == ErrorCode.UNAUTHORIZED) {
      exchange.setHeader("WWW-Authenticate", "Bearer");
    }
    exchange.send(Statuses.of(e.code()), ErrorBody.of(e.code(), e.reason(), e.details()));
  }

  private static void fail(Exchange exchange, String id, Exception e) {
    if (ClientGone.isCauseOf(e)) {
      throw new CloseConnectionException("the client left, or the server stops", e);
    }
    LOG.log(Level.ERROR, "a request failed", e);
    refuse(
        exchange,
        new EngineException(
            ErrorCode.INTERNAL_ERROR, "the engine failed; its log has the reason under id " + id));
  }
}
