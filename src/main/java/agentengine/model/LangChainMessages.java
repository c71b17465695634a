package agentengine.model;

import agentengine.json.Json;
import agentengine.json.TextRules;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.data.message.AiMessage;
import dev.langchain4j.data.message.SystemMessage;
import dev.langchain4j.data.message.ToolExecutionResultMessage;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.model.chat.request.ChatRequest;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonSchemaElement;
import dev.langchain4j.model.chat.response.ChatResponse;
import dev.langchain4j.model.output.TokenUsage;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Translates between our messages and LangChain4j's. */
final class LangChainMessages {
  private static final Pattern ILLEGAL_IN_NAME = Pattern.compile("[^a-zA-Z0-9_-]");
  private static final int MAX_NAME = 64;

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
        .toolSpecifications(request.tools().stream().map(LangChainMessages::tool).toList())
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
          ToolExecutionResultMessage.from(
              result.callId(), legalName(result.tool()), result.output());
    };
  }

  /** The schema's parts are passed on as they are; only its root has a shape of LangChain4j's. */
  private static ToolSpecification tool(ToolDefinition tool) {
    ObjectNode schema = tool.parameters();
    JsonObjectSchema.Builder parameters = JsonObjectSchema.builder();
    schema
        .path("properties")
        .properties()
        .forEach(property -> parameters.addProperty(property.getKey(), raw(property.getValue())));
    List<String> required = new ArrayList<>();
    schema.path("required").forEach(name -> required.add(name.asText()));
    parameters.required(required);
    if (schema.path("additionalProperties").isBoolean()) {
      parameters.additionalProperties(schema.path("additionalProperties").booleanValue());
    }
    Map<String, JsonSchemaElement> definitions = new LinkedHashMap<>();
    schema.path("$defs").properties().forEach(d -> definitions.put(d.getKey(), raw(d.getValue())));
    if (!definitions.isEmpty()) {
      parameters.definitions(definitions);
    }
    return ToolSpecification.builder()
        .name(tool.name())
        .description(tool.description().isBlank() ? null : tool.description())
        .parameters(parameters.build())
        .build();
  }

  private static JsonSchemaElement raw(JsonNode schema) {
    return JsonRawSchema.from(schema.isObject() ? Json.write(schema) : "{}");
  }

  /** What a model wrote badly before, it is shown as something that every provider takes. */
  private static ToolExecutionRequest toolRequest(ToolRequest request) {
    return ToolExecutionRequest.builder()
        .id(request.callId())
        .name(legalName(request.tool()))
        .arguments(isObject(request.arguments()) ? request.arguments() : "{}")
        .build();
  }

  private static String legalName(String name) {
    String legal = ILLEGAL_IN_NAME.matcher(name).replaceAll("_");
    return legal.isEmpty() ? "_" : legal.substring(0, Math.min(legal.length(), MAX_NAME));
  }

  private static boolean isObject(String arguments) {
    try {
      return Json.parse(arguments).isObject();
    } catch (UncheckedIOException _) {
      return false;
    }
  }

  static ModelAnswer answer(ChatResponse response, ModelRequest request) {
    AiMessage message = response.aiMessage();
    String text = message.text() == null ? "" : TextRules.storable(message.text());
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
      requests.add(
          new ToolRequest(
              id,
              TextRules.storable(text(call.name())),
              TextRules.storable(text(call.arguments()))));
    }
    return List.copyOf(requests);
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static ModelAnswer.Usage usage(
      @Nullable TokenUsage usage, String text, ModelRequest request) {
    if (usage == null || usage.inputTokenCount() == null || usage.outputTokenCount() == null) {
      return new ModelAnswer.Usage(TokenEstimate.of(request), TokenEstimate.ofText(text), true);
    }
    return new ModelAnswer.Usage(usage.inputTokenCount(), usage.outputTokenCount(), false);
  }
}
