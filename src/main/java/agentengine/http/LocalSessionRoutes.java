package agentengine.http;

import agentengine.auth.LocalOnly;
import agentengine.auth.LocalSession;
import agentengine.error.EngineException;
import agentengine.error.ErrorCode;
import agentengine.json.Json;
import io.helidon.http.Header;
import io.helidon.http.HeaderNames;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The token that a caller on this very machine gets for the asking. */
final class LocalSessionRoutes {
  private final @Nullable LocalSession localSession;

  /** Without a local session, because it is off or tokens come from elsewhere, there is none. */
  LocalSessionRoutes(@Nullable LocalSession localSession) {
    this.localSession = localSession;
  }

  List<Route> routes() {
    return List.of(Route.post("/api/v1/auth/local-session", Access.PUBLIC, this::mint));
  }

  private void mint(Exchange exchange) {
    if (localSession == null) {
      throw new EngineException(
          ErrorCode.NOT_FOUND, "this engine gives out no local sessions; use an API token");
    }
    List<String> names = new ArrayList<>();
    for (Header header : exchange.request().headers()) {
      names.add(header.name());
    }
    LocalOnly.check(
        peer(exchange),
        // A header that is there twice is not the one value that the rule wants.
        exchange.wholeHeader(HeaderNames.HOST),
        exchange.wholeHeader(HeaderNames.ORIGIN),
        names);
    LocalSession.Minted minted = localSession.mint();
    exchange.ok(
        Json.object()
            .put("access_token", minted.accessToken().reveal())
            .put("expires_at", minted.expiresAt().toString()));
  }

  private static @Nullable InetAddress peer(Exchange exchange) {
    return exchange.request().remotePeer().address() instanceof InetSocketAddress address
        ? address.getAddress()
        : null;
  }
}
