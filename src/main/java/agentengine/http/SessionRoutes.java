package agentengine.http;

import agentengine.auth.Scope;
import agentengine.json.Fields;
import agentengine.json.Json;
import agentengine.session.Session;
import agentengine.session.SessionTree;
import agentengine.session.Sessions;
import agentengine.turn.EventId;
import agentengine.turn.Turns;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import java.util.List;

/** Reading, following, cancelling and deleting sessions. */
final class SessionRoutes {
  private static final HeaderName LAST_EVENT_ID = HeaderNames.create("Last-Event-ID");
  private static final int DEFAULT_LIMIT = 50;
  private static final int MAX_LIMIT = 200;

  private final Sessions sessions;
  private final Turns turns;
  private final SseStream sse;

  SessionRoutes(Sessions sessions, Turns turns, SseStream sse) {
    this.sessions = sessions;
    this.turns = turns;
    this.sse = sse;
  }

  List<Route> routes() {
    Access chat = Access.scopes(Scope.CHAT);
    return List.of(
        Route.get("/api/v1/sessions", chat, this::list),
        Route.get("/api/v1/sessions/{id}", chat, this::get),
        Route.delete("/api/v1/sessions/{id}", chat, this::delete),
        Route.get("/api/v1/sessions/{id}/stream", chat, this::stream),
        Route.post("/api/v1/sessions/{id}/cancel", chat, this::cancel),
        Route.post("/api/v1/sessions/{id}/respond", chat, this::respond));
  }

  private void list(Exchange exchange) {
    int asked = exchange.positiveQuery("limit", DEFAULT_LIMIT);
    int limit = Math.min(asked, MAX_LIMIT);
    if (asked > MAX_LIMIT) {
      exchange.setHeader("X-Limit-Applied", String.valueOf(MAX_LIMIT));
    }
    ObjectNode body = Json.object();
    ArrayNode list = body.putArray("sessions");
    for (Session session : sessions.list(exchange.caller(), exchange.query("agent"), limit)) {
      list.add(SessionJson.listItem(session));
    }
    exchange.ok(body);
  }

  private void get(Exchange exchange) {
    String id = exchange.parameter("id");
    SessionTree tree = sessions.tree(exchange.caller(), id);
    exchange.ok(SessionJson.detail(tree, turns.pending(id), turns.usage(id)));
  }

  private void delete(Exchange exchange) {
    sessions.delete(exchange.caller(), exchange.parameter("id"));
    exchange.noContent();
  }

  private void stream(Exchange exchange) throws Exception {
    String id = exchange.parameter("id");
    EventId last = EventId.parse(exchange.header(LAST_EVENT_ID)).orElse(null);
    sse.send(exchange, id, turns.attach(exchange.caller(), id, last));
  }

  private void respond(Exchange exchange) {
    GateAnswer answer = GateAnswer.read(Fields.of(exchange.body()));
    turns.respond(
        exchange.caller(),
        exchange.parameter("id"),
        answer.callId(),
        answer.approved(),
        answer.reason());
    exchange.ok(Json.object().put("status", "ok").put("call_id", answer.callId()));
  }

  private void cancel(Exchange exchange) {
    turns.cancel(exchange.caller(), exchange.parameter("id"));
    exchange.ok(Json.object().put("status", "cancelled"));
  }
}
