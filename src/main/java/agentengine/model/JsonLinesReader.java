package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.http.client.sse.CancellationUnsupportedHandle;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.http.client.sse.ServerSentEventContext;
import dev.langchain4j.http.client.sse.ServerSentEventListener;
import java.io.InputStream;

/** Reads Ollama's answers, a JSON object a line. */
final class JsonLinesReader extends LineReader {
  private final ServerSentEventListener listener;
  private final ProviderCall call;
  private final ServerSentEventContext context =
      new ServerSentEventContext(new CancellationUnsupportedHandle());

  JsonLinesReader(InputStream in, ServerSentEventListener listener, ProviderCall call) {
    super(in, call);
    this.listener = listener;
    this.call = call;
  }

  @Override
  void takeLine(byte[] bytes, int start, int end) {
    String line = text(bytes, start, end);
    if (line.isBlank() || call.failure() != null) {
      return;
    }
    if (line.contains("\"error\"")) {
      JsonNode error = Json.parse(line).path("error");
      if (!error.isMissingNode() && !error.isNull()) {
        call.fail(ProviderFailures.inStream(error));
        return;
      }
    }
    listener.onEvent(new ServerSentEvent(null, line), context);
  }
}
