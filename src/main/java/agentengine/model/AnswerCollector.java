package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.langchain4j.http.client.sse.ServerSentEvent;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.chat.response.PartialThinking;
import dev.langchain4j.model.chat.response.StreamingChatResponseHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/** Relays what LangChain4j reports of a streamed answer, and holds the whole at the end. */
final class AnswerCollector implements StreamingChatResponseHandler {
  private static final int MAX_ANSWER_CHARACTERS = 8 * 1024 * 1024;

  private final ProviderCall call;
  private final ModelListener listener;
  private int characters;
  private @Nullable ChatResponse response;

  AnswerCollector(ProviderCall call, ModelListener listener) {
    this.call = call;
    this.listener = listener;
  }

  @Override
  public void onPartialResponse(String text) {
    bound(text);
    listener.text(text);
  }

  @Override
  public void onPartialThinking(PartialThinking thinking) {
    bound(thinking.text());
    listener.thinking(thinking.text());
  }

  private void bound(String text) {
    characters += text.length();
    if (characters > MAX_ANSWER_CHARACTERS) {
      call.fail(
          new ModelException(
              ModelException.Kind.MALFORMED,
              "the model's answer has more than " + MAX_ANSWER_CHARACTERS + " characters"));
    }
  }

  /** An event with neither text nor a call in it may be an error that came with status 200. */
  @Override
  public void onUnmappedRawEvent(Object rawEvent) {
    if (rawEvent instanceof ServerSentEvent event && event.data().contains("\"error\"")) {
      try {
        JsonNode error = Json.parse(event.data()).path("error");
        if (!error.isMissingNode() && !error.isNull()) {
          call.fail(ProviderFailures.inStream(error));
        }
      } catch (UncheckedIOException _) {
        // Not JSON: LangChain4j has complained already.
      }
    }
  }

  @Override
  public void onCompleteResponse(ChatResponse complete) {
    response = complete;
  }

  @Override
  public void onError(Throwable error) {
    boolean broken = error instanceof IOException || error.getCause() instanceof IOException;
    call.fail(
        broken && !(error.getCause() instanceof JacksonException)
            ? new ModelException(
                ModelException.Kind.CONNECTION, "the provider broke the connection", null, error)
            : ProviderFailures.malformed(error));
  }

  ModelAnswer answer(ModelRequest request) {
    RuntimeException failure = call.failure();
    if (failure != null) {
      throw failure;
    }
    if (response == null || (response.finishReason() == null && call.endIsMissing())) {
      throw new ModelException(
          ModelException.Kind.CONNECTION, "the provider ended the answer before it was complete");
    }
    return LangChainMessages.answer(response, request);
  }
}
