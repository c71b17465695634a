package agentengine.model;

import agentengine.json.Json;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * OpenAI's chat completions, which seven kinds of provider speak, each with quirks of its own: see
 * {@link OpenAiQuirks}.
 */
enum OpenAiWire implements WireFormat {
  FORMAT;

  /** Where the thinking before a tool call came in, and goes back. */
  private static final List<String> THINKING_FIELDS = List.of("reasoning_content", "reasoning");

  private static final String DETAILS = "reasoning_details";
  private static final String CALLS = "calls";
  private static final String EXTRA = "extra_content";

  @Override
  public Framing framing() {
    return Framing.SERVER_SENT_EVENTS;
  }

  @Override
  public ProviderRequest request(ModelTarget target, ModelRequest request) {
    OpenAiQuirks quirks = new OpenAiQuirks(target);
    ObjectNode body = Json.object().put("model", target.model().modelName()).put("stream", true);
    if (quirks.asksForUsage()) {
      body.putObject("stream_options").put("include_usage", true);
    }
    body.set("messages", messages(target.model(), quirks, request));
    if (!request.tools().isEmpty()) {
      body.set("tools", tools(request.tools()));
    }
    ModelRequest.Sampling sampling = request.sampling();
    if (sampling.temperature() != null) {
      body.put("temperature", sampling.temperature());
    }
    if (sampling.topP() != null) {
      body.put("top_p", sampling.topP());
    }
    if (sampling.maxTokens() != null) {
      body.put(quirks.maxTokensField(), sampling.maxTokens());
    }
    ProviderRequest out = new ProviderRequest(quirks.url(), body);
    return target.kind() == ProviderKind.AZURE_OPENAI
        ? out.withKey("api-key", "", target.model().apiKey())
        : out.withKey("Authorization", "Bearer ", target.model().apiKey());
  }

  static ArrayNode tools(List<ToolDefinition> tools) {
    ArrayNode array = Json.array();
    for (ToolDefinition tool : tools) {
      ObjectNode function = array.addObject().put("type", "function").putObject("function");
      function.put("name", tool.name());
      if (!tool.description().isBlank()) {
        function.put("description", tool.description());
      }
      function.set("parameters", WireText.parameters(tool));
    }
    return array;
  }

  private static ArrayNode messages(ModelRecord model, OpenAiQuirks quirks, ModelRequest request) {
    ArrayNode messages = Json.array();
    if (!request.system().isBlank()) {
      messages.addObject().put("role", "system").put("content", request.system());
    }
    for (ChatMessage message : request.messages()) {
      ObjectNode json = messages.addObject();
      switch (message) {
        case ChatMessage.User(String text) -> json.put("role", "user").put("content", text);
        case ChatMessage.Assistant assistant -> assistant(json, model, quirks, assistant);
        case ChatMessage.ToolResult(String callId, var _, String output) ->
            json.put("role", "tool")
                .put("tool_call_id", quirks.callId(callId))
                .put("content", output);
      }
    }
    return messages;
  }

  private static void assistant(
      ObjectNode json, ModelRecord model, OpenAiQuirks quirks, ChatMessage.Assistant message) {
    json.put("role", "assistant");
    if (message.toolRequests().isEmpty()) {
      json.put("content", message.text());
      return;
    }
    json.put("content", message.text().isEmpty() ? null : message.text());
    ArrayNode calls = json.putArray("tool_calls");
    for (ToolRequest request : message.toolRequests()) {
      ObjectNode call = calls.addObject();
      call.put("id", quirks.callId(request.callId())).put("type", "function");
      call.putObject("function")
          .put("name", WireText.legalName(request.tool()))
          .put("arguments", Json.write(WireText.arguments(request)));
    }
    Carry carry = message.carry();
    if (carry == null || !carry.isFor(model)) {
      quirks.withoutThinking(json);
    } else if (carry.content() instanceof ObjectNode kept) {
      kept.properties().stream()
          .filter(field -> !field.getKey().equals(CALLS))
          .forEach(field -> json.set(field.getKey(), field.getValue()));
      for (int i = 0; i < calls.size(); i++) {
        JsonNode extra = kept.path(CALLS).path(i);
        if (extra.isObject()) {
          ((ObjectNode) calls.get(i)).set(EXTRA, extra);
        }
      }
    }
  }

  @Override
  public EventReader reader(ModelTarget target, AnswerDraft draft) {
    return new Reader(draft);
  }

  private static final class Reader implements EventReader {
    private final AnswerDraft draft;
    private final ToolCallPieces calls;
    private final ReasoningDetails details;
    private final StringBuilder thinking = new StringBuilder();
    private String thinkingField = "";
    private boolean filtered;

    Reader(AnswerDraft draft) {
      this.draft = draft;
      this.calls = new ToolCallPieces(draft);
      this.details = new ReasoningDetails(draft);
    }

    @Override
    public void take(String data) {
      if (data.equals("[DONE]")) {
        draft.complete();
        return;
      }
      ObjectNode event = WireText.event(data);
      JsonNode error = ProviderFailures.errorIn(event);
      if (WireText.isGiven(error)) {
        throw ProviderFailures.inStream(error);
      }
      JsonNode choices = event.path("choices");
      if (WireText.isGiven(choices) && !choices.isArray()) {
        throw ProviderFailures.malformed("its choices are not a list");
      }
      if (event.path("usage").isObject()) {
        draft.usage(usage(event.path("usage")));
      }
      JsonNode choice = choices.path(0);
      delta(choice.path("delta"));
      if (choice.path("finish_reason").isTextual()) {
        filtered = choice.path("finish_reason").asText().equals("content_filter");
        draft.complete();
      }
    }

    private void delta(JsonNode delta) {
      for (String field : THINKING_FIELDS) {
        String thought = delta.path(field).asText("");
        if (!thought.isEmpty()) {
          thinkingField = field;
          thinking.append(thought);
          draft.thinking(thought);
          break; // some servers send the same under both names
        }
      }
      delta.path(DETAILS).forEach(details::add);
      content(delta.path("content"));
      draft.text(delta.path("refusal").asText(""));
      delta.path("tool_calls").forEach(calls::add);
    }

    /** Mistral's thinking models send a list of chunks in place of a text. */
    private void content(JsonNode content) {
      if (!content.isArray()) {
        draft.text(content.asText(""));
        return;
      }
      for (JsonNode chunk : content) {
        draft.text(chunk.path("text").asText(""));
        chunk.path("thinking").forEach(part -> draft.thinking(part.path("text").asText("")));
      }
    }

    @Override
    public void finish() {
      ArrayNode extras = calls.finish();
      if (filtered) {
        throw new ModelException(
            ModelException.Kind.REFUSED, "the provider's content filter stopped the answer");
      }
      ObjectNode kept = Json.object();
      if (details.isEmpty() && !thinking.isEmpty()) {
        kept.put(thinkingField, thinking.toString());
      } else if (!details.isEmpty()) {
        kept.set(DETAILS, details.all());
      }
      if (!extras.isEmpty()) {
        kept.set(CALLS, extras);
      }
      if (!kept.isEmpty()) {
        draft.carry(kept);
      }
    }

    /** Some count thinking beside the completion, but all count it in the total. */
    private static ModelAnswer.Usage usage(JsonNode usage) {
      int input = usage.path("prompt_tokens").asInt();
      int output =
          Math.max(
              usage.path("completion_tokens").asInt(), usage.path("total_tokens").asInt() - input);
      int cached =
          usage
              .at("/prompt_tokens_details/cached_tokens")
              .asInt(usage.path("prompt_cache_hit_tokens").asInt());
      int written = usage.at("/prompt_tokens_details/cache_write_tokens").asInt();
      int reasoning = usage.at("/completion_tokens_details/reasoning_tokens").asInt();
      return new ModelAnswer.Usage(
          input,
          output,
          Math.min(cached, input),
          Math.min(written, input),
          Math.min(reasoning, output),
          false);
    }
  }
}
