package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Predicate;

/**
 * Anthropic's messages: contents are lists of blocks, thinking blocks are signed and go back
 * unchanged before the results of the tools that follow them, and the head that every step repeats
 * is marked for the provider's cache.
 */
enum AnthropicWire implements WireFormat {
  FORMAT;

  private static final String VERSION = "2023-06-01";

  /** Anthropic insists on a limit; this one is for agents that set none. */
  private static final int USUAL_MAX_TOKENS = 32_000;

  private static final int MAX_TOKENS_OF_UNKNOWN_MODEL = 8_192;
  private static final int LEAST_BUDGET = 1_024;
  private static final int USUAL_BUDGET = 8_192;

  @Override
  public Framing framing() {
    return Framing.SERVER_SENT_EVENTS;
  }

  @Override
  public ProviderRequest request(ModelTarget target, ModelRequest request) {
    int maxTokens = maxTokens(target, request);
    ObjectNode body =
        Json.object()
            .put("model", target.model().modelName())
            .put("max_tokens", maxTokens)
            .put("stream", true);
    if (!request.system().isBlank()) {
      ObjectNode system = body.putArray("system").addObject();
      cached(system.put("type", "text").put("text", request.system()));
    }
    if (!request.tools().isEmpty()) {
      body.set("tools", tools(request.tools()));
    }
    body.set("messages", messages(target.model(), request.messages()));
    ModelRequest.Sampling sampling = request.sampling();
    if (sampling.temperature() != null) {
      body.put("temperature", sampling.temperature());
    }
    if (sampling.topP() != null) {
      body.put("top_p", sampling.topP());
    }
    if (sampling.temperature() == null && sampling.topP() == null) {
      askToThink(body, target, request, maxTokens); // which goes with neither of the two
    }
    return new ProviderRequest(target.url("/messages"), body)
        .with("anthropic-version", VERSION)
        .withKey("x-api-key", "", target.model().apiKey());
  }

  private static int maxTokens(ModelTarget target, ModelRequest request) {
    Integer wanted = request.sampling().maxTokens();
    if (wanted != null) {
      return wanted;
    }
    RegistryModel known = target.known();
    return known == null
        ? MAX_TOKENS_OF_UNKNOWN_MODEL
        : Math.min(known.maxOutput(), USUAL_MAX_TOKENS);
  }

  private static void askToThink(
      ObjectNode body, ModelTarget target, ModelRequest request, int maxTokens) {
    RegistryModel.Thinking thinking = target.known() == null ? null : target.known().thinking();
    if (thinking == RegistryModel.Thinking.ADAPTIVE) {
      body.putObject("thinking").put("type", "adaptive").put("display", "summarized");
    } else if (thinking == RegistryModel.Thinking.BUDGET
        && maxTokens >= 2 * LEAST_BUDGET
        && thoughtBeforeItsCalls(target.model(), request.messages())) {
      body.putObject("thinking")
          .put("type", "enabled")
          .put("budget_tokens", Math.min(maxTokens / 2, USUAL_BUDGET));
    }
  }

  /**
   * With a budget, a turn either thinks from its first step on or not at all: another model may
   * have made the first steps of this one.
   */
  private static boolean thoughtBeforeItsCalls(ModelRecord model, List<ChatMessage> messages) {
    Predicate<ChatMessage> isUser = ChatMessage.User.class::isInstance;
    return messages.reversed().stream()
        .takeWhile(isUser.negate())
        .noneMatch(
            message ->
                message instanceof ChatMessage.Assistant(var _, var _, Carry carry)
                    && (carry == null || !carry.isFor(model)));
  }

  /** The provider keeps everything up to this mark, and reads it at a tenth of the price. */
  private static void cached(ObjectNode block) {
    block.putObject("cache_control").put("type", "ephemeral");
  }

  private static ArrayNode tools(List<ToolDefinition> tools) {
    ArrayNode array = Json.array();
    for (ToolDefinition tool : tools) {
      ObjectNode json = array.addObject().put("name", tool.name());
      if (!tool.description().isBlank()) {
        json.put("description", tool.description());
      }
      json.set("input_schema", WireText.parameters(tool));
    }
    cached((ObjectNode) array.get(array.size() - 1));
    return array;
  }

  private static ArrayNode messages(ModelRecord model, List<ChatMessage> messages) {
    ArrayNode array = Json.array();
    ArrayNode content = Json.array();
    ChatMessage before = null;
    for (ChatMessage message : messages) {
      // All results of one answer's calls belong into one message.
      if (!(message instanceof ChatMessage.ToolResult
          && before instanceof ChatMessage.ToolResult)) {
        boolean assistant = message instanceof ChatMessage.Assistant;
        ObjectNode next = array.addObject().put("role", assistant ? "assistant" : "user");
        content = next.putArray("content");
      }
      switch (message) {
        case ChatMessage.User(String text) -> text(content, text);
        case ChatMessage.Assistant assistant -> assistant(content, model, assistant);
        case ChatMessage.ToolResult(String callId, var _, String output) ->
            content
                .addObject()
                .put("type", "tool_result")
                .put("tool_use_id", callId)
                .put("content", output);
      }
      before = message;
    }
    if (content.get(content.size() - 1) instanceof ObjectNode last) {
      cached(last);
    }
    return array;
  }

  private static void assistant(
      ArrayNode content, ModelRecord model, ChatMessage.Assistant message) {
    List<ToolRequest> calls = message.toolRequests();
    Carry carry = message.carry();
    if (carry != null && carry.isFor(model)) {
      for (JsonNode block : carry.content()) {
        int call = block.path(AnthropicReader.CALL).asInt(-1);
        if (call < 0) {
          content.add(block);
        } else if (call < calls.size()) {
          toolUse(content, calls.get(call));
        }
      }
      return;
    }
    if (calls.isEmpty() || !message.text().isBlank()) {
      text(content, message.text());
    }
    calls.forEach(call -> toolUse(content, call));
  }

  private static void text(ArrayNode content, String text) {
    content.addObject().put("type", "text").put("text", text.isBlank() ? WireText.NO_TEXT : text);
  }

  private static void toolUse(ArrayNode content, ToolRequest request) {
    content
        .addObject()
        .put("type", "tool_use")
        .put("id", request.callId())
        .put("name", WireText.legalName(request.tool()))
        .set("input", WireText.arguments(request));
  }

  @Override
  public EventReader reader(ModelTarget target, AnswerDraft draft) {
    return new AnthropicReader(draft);
  }
}
