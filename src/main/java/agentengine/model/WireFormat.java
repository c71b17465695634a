package agentengine.model;

/**
 * How a family of providers is talked to: what it is sent, and how its streamed answer reads. Only
 * the classes that implement this know a provider's protocol.
 */
interface WireFormat {
  /** How the pieces of a streamed answer are told apart. */
  enum Framing {
    SERVER_SENT_EVENTS,
    JSON_LINES
  }

  Framing framing();

  /** The request that asks a model. */
  ProviderRequest request(ModelTarget target, ModelRequest request);

  /** Reads one answer, piece by piece, into a draft. */
  EventReader reader(ModelTarget target, AnswerDraft draft);

  /** Takes the pieces of one streamed answer. */
  interface EventReader {
    void take(String data);

    /** Nothing more comes. */
    default void finish() {}
  }

  /** The format that a kind of provider speaks. */
  static WireFormat of(ProviderKind kind) {
    return switch (kind) {
      case ANTHROPIC -> AnthropicWire.FORMAT;
      case GOOGLE -> GeminiWire.FORMAT;
      case OLLAMA -> OllamaWire.FORMAT;
      case OPENAI_COMPATIBLE, AZURE_OPENAI, OPENROUTER, DEEPSEEK, MISTRAL, XAI, ZAI ->
          OpenAiWire.FORMAT;
    };
  }
}
