package agentengine.simulator;

import io.helidon.http.Header;
import io.helidon.webserver.ServerConnectionException;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Answers {@code POST /v1/chat/completions}. */
final class CompletionHandler implements Handler {
  private final ReceivedLog log;
  private final Attempts attempts = new Attempts();

  CompletionHandler(ReceivedLog log) {
    this.log = log;
  }

  @Override
  public void handle(ServerRequest request, ServerResponse response) {
    Received received = new Received(headers(request), request.content().as(byte[].class));
    log.add(received);
    try {
      answer(received, new Reply(response));
    } catch (ClientWatch.ClientLeft | ServerConnectionException e) {
      log.clientLeft(received);
      throw e;
    } finally {
      log.ended(received);
    }
  }

  private void answer(Received received, Reply reply) {
    Conversation conversation;
    Script.Step step;
    try {
      conversation = Conversation.of(received.body());
      step = step(conversation);
    } catch (BadRequest e) {
      reply.error(ApiError.badRequest(e.problem()), null);
      return;
    }
    new Player(conversation, reply, attempts, pauses(step, reply)).play(step);
  }

  private static Script.Step step(Conversation conversation) {
    return Script.parse(conversation.userMessage())
        .or(() -> Script.parse(conversation.system()))
        .flatMap(script -> script.step(conversation.step()))
        .orElseGet(() -> Unscripted.step(conversation));
  }

  /** Only an answer that pauses is watched: the others can keep their connection. */
  private Pauses pauses(Script.Step step, Reply reply) {
    if (!step.pauses()) {
      return new Pauses(ClientWatch.none());
    }
    reply.closeAfterwards();
    return new Pauses(ClientWatch.over(CurrentConnection.reader()));
  }

  private static Map<String, String> headers(ServerRequest request) {
    Map<String, String> headers = new LinkedHashMap<>();
    for (Header header : request.headers()) {
      headers.put(header.name().toLowerCase(Locale.ROOT), String.join(", ", header.allValues()));
    }
    return headers;
  }
}
