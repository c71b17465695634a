package agentengine.model;

import agentengine.json.Json;
import agentengine.testing.FakeServer;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;

/** How one kind of provider writes what it has to say, and what it expects to be sent. */
interface Dialect {
  /** A piece of an answer. */
  sealed interface Piece {
    record Thinking(String text) implements Piece {}

    record Text(String text) implements Piece {}

    /** Calls that the model makes side by side. */
    record Calls(List<ToolRequest> calls) implements Piece {}
  }

  static Dialect of(ProviderKind kind) {
    return switch (kind) {
      case OLLAMA -> new OllamaDialect();
      case ANTHROPIC -> new AnthropicDialect();
      case GOOGLE -> new GeminiDialect();
      case OPENAI_COMPATIBLE, AZURE_OPENAI, OPENROUTER, DEEPSEEK, MISTRAL, XAI, ZAI ->
          new OpenAiDialect(kind);
    };
  }

  ProviderKind kind();

  /** What a base URL has after host and port. */
  String basePath();

  /** Where a model is asked. */
  String target(String modelName);

  /** The header that carries the key. */
  String keyHeader();

  String contentType();

  /** The beginning of an answer and these pieces, without its end. */
  String begun(Piece... pieces);

  /** The end of an answer, with its usage. */
  String end(boolean afterCalls);

  /** What {@link #end} and {@link #begun} say was used. */
  ModelAnswer.Usage usage();

  /** The body that comes with an error's status. */
  String error(int status, String message);

  /** The same error, in a stream that began well. */
  String errorInStream(int status, String message);

  /** The parts of a request that hold {@link Talk}, as this provider wants them. */
  String talk();

  /** A whole answer over HTTP. */
  default String answer(Piece... pieces) {
    boolean calls = pieces.length > 0 && pieces[pieces.length - 1] instanceof Piece.Calls;
    return FakeServer.ok(contentType()) + begun(pieces) + end(calls);
  }

  /** An answer that says this and no more. */
  default String saying(String text) {
    return answer(new Piece.Text(text));
  }

  /** A refusal over HTTP. */
  default String refusal(int status, String message, String... headers) {
    return "HTTP/1.1 "
        + status
        + " No\r\nContent-Type: application/json\r\nConnection: close\r\n"
        + String.join("", List.of(headers).stream().map(header -> header + "\r\n").toList())
        + "\r\n"
        + error(status, message);
  }

  /** As JSON writes it. */
  static String quoted(String text) {
    return Json.write(new TextNode(text));
  }

  /** An event of a stream; the JSON may be written on several lines. */
  static String sse(String data) {
    return "data: " + data.strip().replace("\n", "") + "\n\n";
  }
}
