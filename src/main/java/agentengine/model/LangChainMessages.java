package agentengine.model;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Translates between our messages and LangChain4j's. */
final class LangChainMessages {
  private LangChainMessages() {}

  static ChatRequest request(ModelRequest request) {
    List<dev.langchain4j.data.message.ChatMessage> messages =
        new ArrayList<>(request.messages().size() + 1);
    if (!request.system().isBlank()) {
      messages.add(SystemMessage.from(request.system()));
    }
    for (ChatMessage message : request.messages()) {
      messages.add(message(message));
    }
    return ChatRequest.builder()
        .messages(messages)
        .temperature(request.sampling().temperature())
        .topP(request.sampling().topP())
        .maxOutputTokens(request.sampling().maxTokens())
        .build();
  }

  private static dev.langchain4j.data.message.ChatMessage message(ChatMessage message) {
    return switch (message) {
      case ChatMessage.User user -> UserMessage.from(user.text());
      case ChatMessage.Assistant(String text, var calls) when calls.isEmpty() ->
          AiMessage.from(text);
      case ChatMessage.Assistant(String text, var calls) ->
          AiMessage.builder()
              .text(text.isEmpty() ? null : text)
              .toolExecutionRequests(calls.stream().map(LangChainMessages::toolRequest).toList())
              .build();
      case ChatMessage.ToolResult result ->
          ToolExecutionResultMessage.from(result.callId(), result.tool(), result.output());
    };
  }

  private static ToolExecutionRequest toolRequest(ToolRequest request) {
    return ToolExecutionRequest.builder()
        .id(request.callId())
        .name(request.tool())
        .arguments(request.arguments())
        .build();
  }

  static ModelAnswer answer(ChatResponse response, ModelRequest request) {
    AiMessage message = response.aiMessage();
    String text = message.text() == null ? "" : message.text();
    return new ModelAnswer(
        text,
        toolRequests(message.toolExecutionRequests()),
        usage(response.tokenUsage(), text, request));
  }

  /** Results are told apart by the id of their call, which some providers leave out or repeat. */
  private static List<ToolRequest> toolRequests(List<ToolExecutionRequest> calls) {
    List<ToolRequest> requests = new ArrayList<>(calls.size());
    Set<String> ids = new HashSet<>();
    for (ToolExecutionRequest call : calls) {
      String id = call.id();
      if (id == null || id.isBlank() || !ids.add(id)) {
        id = "call_" + UUID.randomUUID();
      }
      requests.add(new ToolRequest(id, call.name(), call.arguments()));
    }
    return List.copyOf(requests);
  }

  private static ModelAnswer.Usage usage(
      @Nullable TokenUsage usage, String text, ModelRequest request) {
    if (usage == null || usage.inputTokenCount() == null || usage.outputTokenCount() == null) {
      return new ModelAnswer.Usage(TokenEstimate.of(request), TokenEstimate.ofText(text), true);
    }
    return new ModelAnswer.Usage(usage.inputTokenCount(), usage.outputTokenCount(), false);
  }
}
