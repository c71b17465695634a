package agentengine.model;

import java.io.InputStream;

/** Reads a JSON object a line. */
final class JsonLinesReader extends LineReader {
  private final WireFormat.EventReader events;

  JsonLinesReader(InputStream in, ProviderCall call, WireFormat.EventReader events) {
    super(in, call);
    this.events = events;
  }

  @Override
  void takeLine(byte[] bytes, int start, int end) {
    String line = text(bytes, start, end);
    if (!line.isBlank()) {
      events.take(line);
    }
  }
}
