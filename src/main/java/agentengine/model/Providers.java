package agentengine.model;

import agentengine.secret.Secret;
import dev.langchain4j.model.chat.StreamingChatModel;
import dev.langchain4j.model.ollama.OllamaStreamingChatModel;
import dev.langchain4j.model.openai.OpenAiStreamingChatModel;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Builds LangChain4j's client for a model record, and keeps the ones used last. */
final class Providers {
  private static final int KEPT = 200;

  private final UnaryOperator<String> resolveBaseUrl;
  private final Map<ModelRecord, StreamingChatModel> kept =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<ModelRecord, StreamingChatModel> eldest) {
          return size() > KEPT;
        }
      };

  private record Used(ModelRecord model, StreamingChatModel client) {}

  private volatile @Nullable Used lastUsed;

  Providers(UnaryOperator<String> resolveBaseUrl) {
    this.resolveBaseUrl = resolveBaseUrl;
  }

  @SuppressWarnings("ReferenceEquality") // equal records that are not the same only cost a lookup
  StreamingChatModel client(ModelRecord model) {
    // Turns between two changes of the definitions share one record.
    Used last = lastUsed;
    if (last != null && last.model() == model) {
      return last.client();
    }
    StreamingChatModel client = find(model);
    lastUsed = new Used(model, client);
    return client;
  }

  private StreamingChatModel find(ModelRecord model) {
    synchronized (kept) {
      return kept.computeIfAbsent(model, this::build);
    }
  }

  private StreamingChatModel build(ModelRecord model) {
    return switch (model.kind()) {
      case OPENAI_COMPATIBLE -> openAi(model);
      case OLLAMA -> ollama(model);
      case ANTHROPIC, AZURE_OPENAI, GOOGLE, OPENROUTER, DEEPSEEK, MISTRAL, XAI, ZAI ->
          throw new ModelException(
              ModelException.Kind.REFUSED,
              "models of type "
                  + model.kind().wireName()
                  + " cannot be called yet; use openai_compatible or ollama");
    };
  }

  private StreamingChatModel openAi(ModelRecord model) {
    // Not builder(), which looks for factories on the class path every time.
    var builder =
        new OpenAiStreamingChatModel.OpenAiStreamingChatModelBuilder()
            .httpClientBuilder(new BlockingHttpClient.Builder())
            .baseUrl(resolveBaseUrl.apply(model.baseUrl()))
            .modelName(model.modelName())
            .returnThinking(true);
    Secret key = model.apiKey();
    if (key != null) {
      builder.apiKey(key.reveal());
    }
    return builder.build();
  }

  private StreamingChatModel ollama(ModelRecord model) {
    return new OllamaStreamingChatModel.OllamaStreamingChatModelBuilder()
        .httpClientBuilder(new BlockingHttpClient.Builder())
        .baseUrl(resolveBaseUrl.apply(model.baseUrl()))
        .modelName(model.modelName())
        .returnThinking(true)
        .build();
  }
}
